import { beforeEach, describe, expect, test } from 'vitest'
import { expectInvalidField } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { addPhotoRows } from '../../support/database/photo-rows.ts'
import { type Account, createAccount } from '../../support/fixtures/accounts.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { createMarkableGallery, createMarking } from '../../support/fixtures/marks.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { api, admin } = service

const path = (event: TestEvent, query = '') => `/api/admin/photos/${event.id}/photos${query && `?${query}`}`
const list = (event: TestEvent, query = '', client: TestClient = admin) => client.get(path(event, query))
const listIds = async (event: TestEvent, query = '') =>
  (await list(event, query)).body.photos.map(({ id }: { id: number }) => id)

describe('GET /api/admin/photos/{event_id}/photos', () => {
  let event: TestEvent
  let ids: [number, number]
  let guests: [TestClient, TestClient, TestClient]
  const { rate, label, like, favor, give, mark } = createMarking(service, () => ({ event, ids }))
  beforeEach(async () => {
    ;({ event, ids, guests } = await createMarkableGallery(service))
  })

  test('returns {photos, pagination} with the records of photo/{id}, including hidden ones', async () => {
    await admin.patch(`/api/admin/photos/${event.id}/photos/${ids[1]}`, { visibility: 'hidden' })
    const records = await Promise.all(
      ids.map(async (id) => (await admin.get(`/api/admin/photos/${event.id}/photo/${id}`)).body),
    )
    expect(records[1]).toMatchObject({ id: ids[1], visibility: 'hidden' })
    for (const query of ['', 'limit=10']) {
      const { status, headers, body } = await list(event, query)
      expect(status).toBe(200)
      expect(headers.get('content-type')).toMatch(/^application\/json/)
      expect(Object.keys(body)).toEqual(['photos', 'pagination'])
      expect(body.photos).toEqual(records)
    }
  })

  test('includes the own marks of the caller, never those of another admin', async () => {
    const colleague: Account = await createAccount(service, 'super_admin')
    await mark(admin, { rating: 2, color_label: 'red' })
    await mark(colleague.admin, { rating: 5, color_label: 'blue' })
    await rate(guests[0], 4)
    for (const query of ['', 'limit=1']) {
      expect((await list(event, query)).body.photos[0]).toMatchObject({
        my_rating: 2,
        my_color_label: 'red',
        rating: 4,
        color_label: 'red',
        average_rating: 4,
      })
      expect((await list(event, query, colleague.admin)).body.photos[0]).toMatchObject({
        my_rating: 5,
        my_color_label: 'blue',
        rating: 5,
        color_label: 'blue',
      })
    }
  })

  test('joins the feedback filters by AND, or by OR if logic says so; all others always apply', async () => {
    await like(guests[0], ids[0])
    await favor(guests[1], ids[1])
    await label(guests[2], 'green', ids[1])
    expect(await listIds(event, 'has_likes=true')).toEqual([ids[0]])
    expect(await listIds(event, 'has_likes=true&has_favorites=true')).toEqual([])
    expect(await listIds(event, 'has_favorites=true&color_label=green')).toEqual([ids[1]])
    expect(await listIds(event, 'has_likes=true&color_label=green&logic=OR')).toEqual(ids)
    expect(await listIds(event, 'has_likes=true&color_label=green&logic=OR&search=photo-2')).toEqual([ids[1]])
    expect(await listIds(event, 'has_likes=true&min_rating=5&logic=OR')).toEqual([ids[0]])
  })

  test('counts a comment once it is visible, like comment_count', async () => {
    const { body } = await give(guests[0], { feedback_type: 'comment', comment_text: 'How nice' })
    expect(await listIds(event, 'has_comments=true')).toEqual([])
    await admin.put(`/api/admin/feedback/${body.id}/approve`, {})
    expect(await listIds(event, 'has_comments=true')).toEqual([ids[0]])
    await admin.put(`/api/admin/feedback/${body.id}/hide`, {})
    expect(await listIds(event, 'has_comments=true')).toEqual([])
  })

  test('does not count own marks of an operator as guest feedback', async () => {
    await mark(admin, { rating: 5, color_label: 'green' })
    expect(await listIds(event, 'min_rating=1&color_label=green&logic=OR')).toEqual([])
  })

  test('filters by own marks together with those of guests, and ignores those of another admin', async () => {
    const colleague: Account = await createAccount(service, 'super_admin')
    await mark(admin, { rating: 4, color_label: 'green' })
    await like(guests[0], ids[1])
    expect(await listIds(event, 'own_min_rating=4')).toEqual([ids[0]])
    expect(await listIds(event, 'own_min_rating=5')).toEqual([])
    expect(await listIds(event, 'own_color_label=red,green')).toEqual([ids[0]])
    expect(await listIds(event, 'own_color_label=green&has_likes=true')).toEqual([])
    expect(await listIds(event, 'own_color_label=green&has_likes=true&logic=OR')).toEqual(ids)
    expect((await list(event, 'own_min_rating=1', colleague.admin)).body.photos).toEqual([])
    expect(await listIds(event, 'own_min_rating=0&own_color_label=all')).toEqual(ids)
  })

  test('filters by visibility, media type, source and processing status', async () => {
    await admin.patch(`/api/admin/photos/${event.id}/photos/${ids[1]}`, { visibility: 'hidden' })
    expect(await listIds(event, 'visibility=hidden')).toEqual([ids[1]])
    expect(await listIds(event, 'visibility=visible&media_type=image&processing_status=ready&uploaded_by=api')).toEqual(
      [ids[0]],
    )
    for (const none of ['media_type=video', 'uploaded_by=guest', 'processing_status=failed']) {
      expect(await listIds(event, none)).toEqual([])
    }
    expect(await listIds(event, 'visibility=&media_type=&uploaded_by=&processing_status=')).toEqual(ids)
    expect((await list(event, 'visibility=hidden&limit=1')).body.pagination).toMatchObject({ total: 2, filtered: 1 })
  })

  test('photo-ids returns the ids of the same photos, in the same order', async () => {
    const path = `/api/admin/photos/${event.id}/photo-ids`
    await like(guests[0], ids[1])
    expect((await admin.get(path)).body).toEqual({ ids })
    expect((await admin.get(`${path}?order=desc`)).body).toEqual({ ids: ids.toReversed() })
    expect((await admin.get(`${path}?has_likes=true`)).body).toEqual({ ids: [ids[1]] })
    expectInvalidField(await admin.get(`${path}?sort=colour`), 'sort')
  })

  test('download returns one ZIP of the photos that match, or of those named', async () => {
    const path = `/api/admin/photos/${event.id}/download`
    const countZipPhotos = async (query: string) => (await admin.get(`${path}?${query}`)).headers.get('x-zip-photos')
    await like(guests[0], ids[1])
    expect(await countZipPhotos('')).toBe('2')
    expect(await countZipPhotos('has_likes=true')).toBe('1')
    expect(await countZipPhotos(`ids=${ids[0]}`)).toBe('1')
    expect((await admin.get(`${path}?ids=none`)).body.code).toBe('INVALID_PHOTO_IDS')
    expect((await admin.get(`${path}?search=nothing-of-that-name`)).body.code).toBe('NO_PHOTOS')
  })

  test('has_likes=false, min_rating=0, `all` and empty values are no filter, also under OR', async () => {
    const nothing = 'has_likes=false&has_favorites=&min_rating=0&color_label=all&type=all&category_id=all&search='
    for (const query of [nothing, `${nothing}&logic=OR`]) expect(await listIds(event, query)).toEqual(ids)
  })

  test.each([
    ['has_likes', 'has_likes=maybe'],
    ['min_rating', 'min_rating=6'],
    ['color_label', 'color_label=orange'],
    ['category_id', 'category_id=weddings'],
    ['type', 'type=panorama'],
    ['own_min_rating', 'own_min_rating=6'],
    ['own_color_label', 'own_color_label=orange'],
    ['visibility', 'visibility=gone'],
    ['media_type', 'media_type=sound'],
    ['uploaded_by', 'uploaded_by=nobody'],
    ['processing_status', 'processing_status=odd'],
    ['logic', 'logic=XOR'],
    ['sort', 'sort=colour'],
    ['order', 'order=up'],
    ['limit', 'limit=0'],
    ['limit', 'limit=1001'],
    ['page', 'page=0'],
    ['after', 'after=nonsense&limit=1'],
    ['after', `after=${Buffer.from('["upload_date","asc","x",1]').toString('base64url')}`],
  ])('rejects an invalid %s: %s', async (name, query) => {
    expectInvalidField(await list(event, query), name)
  })

  test('a cursor belongs to one order, and cannot be sent with a page', async () => {
    const { next } = (await list(event, 'limit=1')).body.pagination
    expect(next).toEqual(expect.any(String))
    expect(await listIds(event, `limit=1&after=${next}`)).toEqual([ids[1]])
    expect(await listIds(event, `after=${next}`)).toEqual([ids[1]])
    for (const query of ['sort=name', 'order=desc', 'sort=size', 'sort=rating', 'sort=capture_date', 'page=2']) {
      expectInvalidField(await list(event, `limit=1&after=${next}&${query}`), 'after')
    }
  })

  test('a page after the last is 200 with an empty list, however large its number', async () => {
    for (const query of ['page=3&limit=1', 'page=2', 'page=2147483648&limit=1000']) {
      const { status, body } = await list(event, query)
      expect({ status, photos: body.photos }).toEqual({ status: 200, photos: [] })
      expect(body.pagination).toMatchObject({ total: 2, filtered: 2, next: null })
    }
  })

  test('an event without photos has empty pages', async () => {
    const empty = await createEvent(api)
    for (const query of ['', 'limit=5', 'sort=rating']) {
      const { body } = await list(empty, query)
      expect(body.photos).toEqual([])
      expect(body.pagination).toMatchObject({ total: 0, filtered: 0, pages: 0, next: null })
    }
  })

  test('an archived event can be read', async () => {
    await admin.post(`/api/admin/events/${event.id}/archive`, {})
    for (const query of ['', 'limit=1&page=2']) expect((await list(event, query)).status).toBe(200)
    expect(await listIds(event)).toEqual(ids)
  })
})

describe('paging by `after` repeats nothing and omits nothing', () => {
  const photos = Array.from({ length: 30 }, (_, index) => ({
    uploadedAt: 1_700_000_000_000 + Math.floor(index / 3) * 1000,
    // Some capture times are before 1970, some are missing.
    capturedAt: index % 5 === 0 ? null : ((index * 11) % 7) * 1000 - 3000,
    visibility: 'visible' as const,
    name: `IMG_${(index * 7) % 30}.jpg`,
    sizeBytes: 1000 + (index % 4),
  }))

  test.each(['date', 'capture_date', 'name', 'size', 'rating', 'manual'])(
    'while earlier photos are deleted and others are added, by %s',
    async (sort) => {
      const event = await createEvent(api)
      await addPhotoRows(service, event.id, photos)
      const before = await listIds(event, `sort=${sort}`)
      const seen: number[] = []
      let after = ''
      for (let round = 0; ; round++) {
        const { body } = await list(event, `sort=${sort}&limit=7${after && `&after=${after}`}`)
        seen.push(...body.photos.map(({ id }: { id: number }) => id))
        if (body.pagination.next === null) break
        after = body.pagination.next
        const gone = [seen[round], seen.at(-1)]
        await uploadPhotos(api, event.id, 1)
        await admin.post(`/api/admin/photos/${event.id}/photos/bulk-delete`, { photoIds: gone })
      }
      expect(new Set(seen).size).toBe(seen.length)
      expect(seen.filter((id) => before.includes(id))).toEqual(before)
    },
  )
})
