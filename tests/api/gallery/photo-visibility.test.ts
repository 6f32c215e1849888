import { beforeEach, describe, expect, test, vi } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import { createClient, type TestClient } from '../../support/clients/test-client.ts'
import { changeDatabase } from '../../support/database/service-database.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
const { admin, anonymous, api, url } = service
let event: TestEvent
let ids: [number, number]
let guest: TestClient
beforeEach(async () => {
  event = await createEvent(api)
  ids = (await uploadPhotos(api, event.id, 2)) as [number, number]
  guest = await enterAsGuest(service, event)
})

const routes = ['thumbnail', 'photo', 'download']
const mediaPath = (route: string, id = ids[0]) => `/api/gallery/${event.slug}/${route}/${id}`
const list = async (client = guest) => (await client.get(`/api/gallery/${event.slug}/photos`)).body
const patch = (body: object, id = ids[0]) => admin.patch(`/api/admin/photos/${event.id}/photos/${id}`, body)

async function warmCaches(client = guest) {
  for (let round = 0; round < 4; round++) {
    for (const route of routes) expect((await client.get(mediaPath(route))).status).toBe(200)
  }
}

describe('a hidden photo', () => {
  test('is 404 on every route at once, although it was cached', async () => {
    await warmCaches()
    await patch({ visibility: 'hidden' })
    const etag = '*'
    for (const route of routes) {
      expectProblem(await guest.get(mediaPath(route)), 404, 'NOT_FOUND')
      expectProblem(await guest.get(mediaPath(route), { 'if-none-match': etag }), 404, 'NOT_FOUND')
      expect((await guest.head(mediaPath(route))).status).toBe(404)
    }
    expect((await list()).photos.map(({ id }: { id: number }) => id)).toEqual([ids[1]])
    expect((await list()).pagination).toMatchObject({ total: 1, pages: 1 })
  })

  test('is back at once when it is shown again', async () => {
    await patch({ visibility: 'hidden' })
    expect((await guest.get(mediaPath('thumbnail'))).status).toBe(404)
    await patch({ visibility: 'visible' })
    await warmCaches()
    expect((await list()).photos).toHaveLength(2)
  })

  test('is never visible while hidden, in twenty changes', async () => {
    for (let round = 0; round < 20; round++) {
      await patch({ visibility: 'hidden' })
      expect((await guest.get(mediaPath('thumbnail'))).status).toBe(404)
      await patch({ visibility: 'visible' })
      const seen = await Promise.all(Array.from({ length: 3 }, () => guest.get(mediaPath('thumbnail'))))
      expect(seen.map(({ status }) => status)).toEqual([200, 200, 200])
    }
  })
})

describe('downloads', () => {
  test('are 403 DOWNLOAD_DISABLED if the event forbids them; photo and thumbnail stay', async () => {
    event = await createEvent(api, { allow_downloads: false })
    ids = (await uploadPhotos(api, event.id, 2)) as [number, number]
    guest = await enterAsGuest(service, event)
    expectProblem(await guest.get(mediaPath('download')), 403, 'DOWNLOAD_DISABLED')
    expectProblem(await guest.get(mediaPath('download'), { range: 'bytes=0-1' }), 403, 'DOWNLOAD_DISABLED')
    expect((await guest.get(mediaPath('photo'))).status).toBe(200)
    expect((await guest.get(mediaPath('thumbnail'))).status).toBe(200)
    expect((await list()).photos).toMatchObject([{ allow_download: false }, { allow_download: false }])
  })

  test('are 403 if the category opts out, from that moment on', async () => {
    const { body: category } = await admin.post('/api/admin/categories', { name: 'Family', event_id: event.id })
    await patch({ category_id: category.id })
    await warmCaches()
    await admin.put(`/api/admin/categories/${category.id}`, { allow_downloads: false })
    expectProblem(await guest.get(mediaPath('download')), 403, 'DOWNLOAD_DISABLED')
    expect((await guest.get(mediaPath('download', ids[1]))).status).toBe(200)
    const { photos, categories } = await list()
    expect(photos.map((photo: { allow_download: boolean }) => photo.allow_download)).toEqual([true, false])
    expect(categories).toContainEqual(expect.objectContaining({ id: category.id, allow_downloads: false }))

    await admin.put(`/api/admin/categories/${category.id}`, { allow_downloads: true })
    expect((await guest.get(mediaPath('download'))).status).toBe(200)
    await admin.put(`/api/admin/categories/${category.id}`, { allow_downloads: false })
    await admin.delete(`/api/admin/categories/${category.id}`)
    expect((await guest.get(mediaPath('download'))).status).toBe(200)
  })
})

test('a revoked guest session is 401 at once, although it was cached', async () => {
  await warmCaches()
  await guest.post('/api/auth/gallery/logout', {})
  for (const route of routes) expectProblem(await guest.get(mediaPath(route)), 401, 'TOKEN_REVOKED')
})

test('a new access key of the event ends every guest session', async () => {
  await warmCaches()
  await changeDatabase(service, (stored) =>
    stored.prepare("update events set access_key = 'new' where id = ?").run(event.id),
  )
  await vi.waitFor(async () => {
    for (const route of routes) expect((await guest.get(mediaPath(route))).status).toBe(401)
  }, 60_000)
})

test('writes of other processes, such as the command line, apply soon', async () => {
  await warmCaches()
  await changeDatabase(service, (stored) =>
    stored.prepare("update photos set visibility = 'hidden' where id = ?").run(ids[0]),
  )
  await vi.waitFor(async () => {
    for (const route of routes) expectProblem(await guest.get(mediaPath(route)), 404, 'NOT_FOUND')
  }, 60_000)
})

describe('the credential that counts', () => {
  const galleryCookie = (token?: string) => `gallery_${event.id}=${token}`

  test('is the Authorization header before the cookie; an invalid one is 401', async () => {
    const headers = { cookie: galleryCookie(guest.token), authorization: 'Bearer garbage' }
    for (const route of routes) expectProblem(await anonymous.get(mediaPath(route), headers), 401, 'INVALID_TOKEN')
  })

  test('is the cookie of this gallery among those of others', async () => {
    const other = await createEvent(api)
    const stranger = await enterAsGuest(service, other)
    const others = `gallery_${other.id}=${stranger.token}; gallery_${event.id}0=x; x=gallery_${event.id}=y`
    for (let round = 0; round < 3; round++) {
      for (const cookie of [`${galleryCookie(guest.token)}; ${others}`, `${others}; ${galleryCookie(guest.token)}`]) {
        expect((await anonymous.get(mediaPath('thumbnail'), { cookie })).status).toBe(200)
      }
      expectProblem(await anonymous.get(mediaPath('thumbnail'), { cookie: others }), 401, 'NO_TOKEN')
    }
  })

  test('is never an operator session in the guest cookie', async () => {
    for (const route of routes) {
      expectProblem(await anonymous.get(mediaPath(route), { cookie: galleryCookie(admin.token) }), 401, 'INVALID_TOKEN')
    }
  })

  test('is 401 if it is a gallery token with changed claims', async () => {
    const [head, , signature] = (guest.token ?? '').split('.')
    const claims = Buffer.from(JSON.stringify({ type: 'gallery', event: event.id, key: 'x', gid: 'x' }))
    const forged = createClient(url, `${head}.${claims.toString('base64url')}.${signature}`)
    for (const route of routes) expectProblem(await forged.get(mediaPath(route)), 401, 'INVALID_TOKEN')
  })
})

test('the list returns each photo with these keys', async () => {
  const [ceremony] = (await admin.get('/api/admin/categories/global')).body
  await api.upload(event.id, await jpeg({ seed: 3 }), { fields: { category_id: ceremony.id } })
  const { photos, categories, event: info, pagination, hidden_until_reveal } = await list()
  const keys = `id filename original_filename url thumbnail_url type category_id category_name allow_download size_bytes
    width height thumbhash media_type mime_type duration captured_at uploaded_at average_rating feedback_count
    like_count favorite_count comment_count color_labels dominant_color_label my_rating my_color_label is_liked
    is_favorited`
  expect(Object.keys(photos[0]).sort()).toEqual(keys.split(/\s+/).sort())
  expect(photos[0]).toMatchObject({ category_id: ceremony.id, category_name: 'Ceremony', allow_download: true })
  expect(categories.map(({ name }: { name: string }) => name)).toEqual(['Ceremony'])
  expect(info).toMatchObject({ event_name: 'Ana & Ben' })
  expect(pagination).toEqual({ page: 1, limit: 50, total: 3, filtered: 3, pages: 1 })
  expect(hidden_until_reveal).toBe(false)
  for (const { url: link, thumbnail_url } of photos) {
    expect((await guest.get(link)).status).toBe(200)
    expect((await guest.get(thumbnail_url)).status).toBe(200)
  }
})
