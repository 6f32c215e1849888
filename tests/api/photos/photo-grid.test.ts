import { beforeAll, describe, expect, test } from 'vitest'
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
  let colleague: Account
  // Photo 1 has a like and own marks, photo 2 is hidden and has a favorite and a color label.
  beforeAll(async () => {
    ;({ event, ids, guests } = await createMarkableGallery(service))
    colleague = await createAccount(service, 'super_admin')
    await rate(guests[0], 4)
    await like(guests[0], ids[0])
    await favor(guests[1], ids[1])
    await label(guests[2], 'green', ids[1])
    await mark(admin, { rating: 2, color_label: 'red' })
    await mark(colleague.admin, { rating: 5, color_label: 'blue' })
    await admin.patch(`/api/admin/photos/${event.id}/photos/${ids[1]}`, { visibility: 'hidden' })
  })

  test('returns {photos, pagination} with the records of photo/{id}, including hidden ones', async () => {
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
    const own = { my_rating: 2, my_color_label: 'red', rating: 4, color_label: 'red', average_rating: 4 }
    const theirs = { my_rating: 5, my_color_label: 'blue', rating: 5, color_label: 'blue' }
    for (const query of ['', 'limit=1']) {
      expect((await list(event, query)).body.photos[0]).toMatchObject(own)
      expect((await list(event, query, colleague.admin)).body.photos[0]).toMatchObject(theirs)
    }
    expect((await list(event, 'own_min_rating=3')).body.photos).toEqual([])
    expect((await list(event, 'own_min_rating=3', colleague.admin)).body.photos).toHaveLength(1)
  })

  test('joins the feedback filters by AND, or by OR; all others always apply', { tags: 'database' }, async () => {
    const nothing = 'has_likes=false&has_favorites=&min_rating=0&color_label=all&type=all&category_id=all&search='
    const [first, second] = ids
    const cases: Array<[query: string, expected: number[]]> = [
      ['has_likes=true', [first]],
      ['has_likes=true&has_favorites=true', []],
      ['has_favorites=true&color_label=green', [second]],
      ['has_likes=true&color_label=green&logic=OR', ids],
      ['has_likes=true&color_label=green&logic=OR&search=PHOTO-2', [second]],
      ['has_likes=true&min_rating=5&logic=OR', [first]],
      ['color_label=red&min_rating=5&logic=OR', []],
      ['own_min_rating=2', [first]],
      ['own_color_label=red,green', [first]],
      ['own_color_label=red&has_favorites=true', []],
      ['own_color_label=red&has_favorites=true&logic=OR', ids],
      ['own_min_rating=0&own_color_label=all', ids],
      ['visibility=hidden', [second]],
      ['visibility=visible&media_type=image&processing_status=ready&uploaded_by=api', [first]],
      ['media_type=video', []],
      ['uploaded_by=guest', []],
      ['processing_status=failed', []],
      ['visibility=&media_type=&uploaded_by=&processing_status=', ids],
      [nothing, ids],
      [`${nothing}&logic=OR`, ids],
    ]
    for (const [query, expected] of cases) expect(await listIds(event, query), query).toEqual(expected)
    expect((await list(event, 'visibility=hidden&limit=1')).body.pagination).toMatchObject({ total: 2, filtered: 1 })
  })

  test('counts a comment once it is visible, like comment_count', async () => {
    const { body } = await give(guests[0], { feedback_type: 'comment', comment_text: 'How nice' })
    expect(await listIds(event, 'has_comments=true')).toEqual([])
    await admin.put(`/api/admin/feedback/${body.id}/approve`, {})
    expect(await listIds(event, 'has_comments=true')).toEqual([ids[0]])
    await admin.put(`/api/admin/feedback/${body.id}/hide`, {})
    expect(await listIds(event, 'has_comments=true')).toEqual([])
  })

  test('photo-ids returns the ids of the same photos, download one ZIP of them, or of those named', async () => {
    const path = `/api/admin/photos/${event.id}`
    expect((await admin.get(`${path}/photo-ids`)).body).toEqual({ ids })
    expect((await admin.get(`${path}/photo-ids?order=desc`)).body).toEqual({ ids: ids.toReversed() })
    expect((await admin.get(`${path}/photo-ids?has_favorites=true`)).body).toEqual({ ids: [ids[1]] })
    expectInvalidField(await admin.get(`${path}/photo-ids?sort=colour`), 'sort')
    for (const [query, count] of Object.entries({ '': '2', 'has_likes=true': '1', [`ids=${ids[0]}`]: '1' })) {
      expect((await admin.get(`${path}/download?${query}`)).headers.get('x-zip-photos'), query).toBe(count)
    }
    expect((await admin.get(`${path}/download?ids=none`)).body.code).toBe('INVALID_PHOTO_IDS')
    expect((await admin.get(`${path}/download?search=nothing-of-that-name`)).body.code).toBe('NO_PHOTOS')
  })

  test('rejects invalid values', async () => {
    const foreignCursor = Buffer.from('["upload_date","asc","x",1]').toString('base64url')
    const invalid = `has_likes=maybe min_rating=6 color_label=orange category_id=weddings type=panorama own_min_rating=6
      own_color_label=orange visibility=gone media_type=sound uploaded_by=nobody processing_status=odd logic=XOR
      sort=colour order=up limit=0 limit=1001 page=0 after=nonsense&limit=1 after=${foreignCursor}`
    for (const query of invalid.split(/\s+/)) expectInvalidField(await list(event, query), query.split('=')[0] ?? '')
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

  test('a page after the last, and any of an event without photos, is 200 with an empty list', async () => {
    for (const query of ['page=3&limit=1', 'page=2147483648&limit=1000']) {
      const { status, body } = await list(event, query)
      expect({ status, photos: body.photos }).toEqual({ status: 200, photos: [] })
      expect(body.pagination).toMatchObject({ total: 2, filtered: 2, next: null })
    }
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
    { tags: 'database' },
    async (sort) => {
      const event = await createEvent(api)
      await addPhotoRows(service, event.id, photos)
      const before = await listIds(event, `sort=${sort}`)
      const seen: number[] = []
      let after = ''
      for (let round = 0; ; round++) {
        const { body } = await list(event, `sort=${sort}&limit=11${after && `&after=${after}`}`)
        seen.push(...body.photos.map(({ id }: { id: number }) => id))
        if (body.pagination.next === null) break
        after = body.pagination.next
        const gone = [seen[round], seen.at(-1)]
        if (round === 0) await uploadPhotos(api, event.id, 1)
        await admin.post(`/api/admin/photos/${event.id}/photos/bulk-delete`, { photoIds: gone })
      }
      expect(new Set(seen).size).toBe(seen.length)
      expect(seen.filter((id) => before.includes(id))).toEqual(before)
    },
  )
})
