import sharp from 'sharp'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { galleryTable, guestOutcomes } from '../../support/access/gallery-table.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { createClient, type TestClient } from '../../support/clients/test-client.ts'
import { changeDatabase } from '../../support/database/service-database.ts'
import { assignmentPath, createCustomer, enterAsCustomer, signInAsCustomer } from '../../support/fixtures/customers.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, anonymous, api, url } = service
let event: TestEvent
let ids: [number, number]
let guest: TestClient
beforeEach(() => openEvent())

async function openEvent(body = {}) {
  event = await createEvent(api, body)
  ids = (await uploadPhotos(api, event.id, 2)) as [number, number]
  guest = await enterAsGuest(service, event)
}

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
  test('is shown to guests by no route of the gallery', async () => {
    const [category] = (await admin.get('/api/admin/categories/global')).body
    await openEvent({
      allow_notes: true,
      allow_annotations: true,
      keep_versions: true,
      allow_user_uploads: true,
      upload_category_id: category.id,
    })
    await patch({ visibility: 'hidden' })
    const { filename } = (await api.get(`/api/v1/events/${event.id}/photos/${ids[0]}`)).body
    for (const { route, accessKind, send } of galleryTable) {
      const { status, body, bytes } = await send(guest, { slug: event.slug, photoId: ids[0] })
      const isAllowed = status < 300 || body?.code === 'NOTHING_SELECTED'
      const outcome = isAllowed ? 'ok' : `${status} ${body?.code}`
      expect([route, outcome]).toEqual([route, guestOutcomes['a hidden photo'][accessKind]])
      for (const name of [filename, 'photo-1.jpg']) expect([route, bytes.includes(name)]).toEqual([route, false])
    }
  })

  test('is 404 at once, although it was cached, and back at once when it is shown again', async () => {
    await warmCaches()
    for (let round = 0; round < 5; round++) {
      await patch({ visibility: 'hidden' })
      for (const route of routes) expectProblem(await guest.get(mediaPath(route)), 404, 'NOT_FOUND')
      await patch({ visibility: 'visible' })
      const seen = await Promise.all(routes.map((route) => guest.get(mediaPath(route))))
      expect(seen.map(({ status }) => status)).toEqual([200, 200, 200])
    }
    await patch({ visibility: 'hidden' })
    for (const route of routes) {
      expectProblem(await guest.get(mediaPath(route), { 'if-none-match': '*' }), 404, 'NOT_FOUND')
      expect((await guest.head(mediaPath(route))).status).toBe(404)
    }
    const { photos, pagination } = await list()
    expect(photos.map(({ id }: { id: number }) => id)).toEqual([ids[1]])
    expect(pagination).toMatchObject({ total: 1, pages: 1 })
  })
})

describe('downloads', () => {
  test('are 403 DOWNLOAD_DISABLED if the event forbids them; photo and thumbnail stay', async () => {
    await api.patch(`/api/v1/events/${event.id}`, { allow_downloads: false })
    expectProblem(await guest.get(mediaPath('download')), 403, 'DOWNLOAD_DISABLED')
    expectProblem(await guest.get(mediaPath('download'), { range: 'bytes=0-1' }), 403, 'DOWNLOAD_DISABLED')
    expect((await guest.get(mediaPath('photo'))).status).toBe(200)
    expect((await guest.get(mediaPath('thumbnail'))).status).toBe(200)
    expect((await list()).photos).toMatchObject([{ allow_download: false }, { allow_download: false }])
  })

  test('are 403 if the category opts out, from that moment on', async () => {
    const { body: category } = await admin.post('/api/admin/categories', { name: 'Family', event_id: event.id })
    const setDownloads = (allow_downloads: boolean) =>
      admin.put(`/api/admin/categories/${category.id}`, { allow_downloads })
    await patch({ category_id: category.id })
    await warmCaches()
    await setDownloads(false)
    expectProblem(await guest.get(mediaPath('download')), 403, 'DOWNLOAD_DISABLED')
    expect((await guest.get(mediaPath('download', ids[1]))).status).toBe(200)
    const { photos, categories } = await list()
    expect(photos.map((photo: { allow_download: boolean }) => photo.allow_download)).toEqual([true, false])
    expect(categories).toContainEqual(expect.objectContaining({ id: category.id, allow_downloads: false }))

    await setDownloads(true)
    expect((await guest.get(mediaPath('download'))).status).toBe(200)
    await setDownloads(false)
    await admin.delete(`/api/admin/categories/${category.id}`)
    expect((await guest.get(mediaPath('download'))).status).toBe(200)
  })

  test('and full-size photos are watermarked and within the size limit for guests; operators get originals', async () => {
    await api.patch(`/api/v1/events/${event.id}`, { watermark_downloads: true, download_max_px: 500 })
    const black = { width: 800, height: 400, channels: 3, background: '#000' } as const
    const original = Buffer.from(await sharp({ create: black }).jpeg().toBuffer())
    const { id } = (await api.upload(event.id, original)).body
    for (const route of ['photo', 'download']) {
      const { bytes } = await guest.get(mediaPath(route, id))
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 500, height: 250 })
      // Something bright is drawn on the black photo.
      expect((await sharp(bytes).stats()).channels[0]?.max).toBeGreaterThan(40)
      expect((await admin.get(mediaPath(route, id))).bytes.equals(original)).toBe(true)
    }
  })
})

test('a session ends at once by sign-out, and soon by another access key; both although it was cached', async () => {
  const other = await enterAsGuest(service, event)
  for (const client of [guest, other]) await warmCaches(client)
  await guest.post('/api/auth/gallery/logout', {})
  for (const route of routes) expectProblem(await guest.get(mediaPath(route)), 401, 'TOKEN_REVOKED')
  for (const route of routes) expect((await other.get(mediaPath(route))).status).toBe(200)
  await changeDatabase(service, (stored) =>
    stored.prepare("update events set access_key = 'new' where id = ?").run(event.id),
  )
  await vi.waitFor(async () => {
    for (const route of routes) expectProblem(await other.get(mediaPath(route)), 401, 'TOKEN_REVOKED')
  }, 60_000)
})

test('a customer whose assignment was withdrawn is 403 at once', async () => {
  const customer = await createCustomer(admin)
  await admin.put(assignmentPath(customer, event), {})
  const inside = await enterAsCustomer(service, await signInAsCustomer(service, customer), event.slug)
  await warmCaches(inside)
  await admin.delete(assignmentPath(customer, event))
  for (const route of routes) expectProblem(await inside.get(mediaPath(route)), 403, 'CUSTOMER_ASSIGNMENT_REVOKED')
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

test('the credential that counts is the Authorization header, then the cookie of this gallery', async () => {
  const galleryCookie = (token?: string) => `gallery_${event.id}=${token}`
  const other = await createEvent(api)
  const stranger = await enterAsGuest(service, other)
  const others = `gallery_${other.id}=${stranger.token}; gallery_${event.id}0=x; x=gallery_${event.id}=y`
  for (let round = 0; round < 3; round++) {
    for (const cookie of [`${galleryCookie(guest.token)}; ${others}`, `${others}; ${galleryCookie(guest.token)}`]) {
      expect((await anonymous.get(mediaPath('thumbnail'), { cookie })).status).toBe(200)
    }
    expectProblem(await anonymous.get(mediaPath('thumbnail'), { cookie: others }), 401, 'NO_TOKEN')
  }
  const [head, , signature] = (guest.token ?? '').split('.')
  const claims = Buffer.from(JSON.stringify({ type: 'gallery', event: event.id, key: 'x', gid: 'x' }))
  const forged = createClient(url, `${head}.${claims.toString('base64url')}.${signature}`)
  const invalidHeader = { cookie: galleryCookie(guest.token), authorization: 'Bearer garbage' }
  for (const route of routes) {
    expectProblem(await anonymous.get(mediaPath(route), invalidHeader), 401, 'INVALID_TOKEN')
    // The guest cookie never holds the session of an operator.
    expectProblem(await anonymous.get(mediaPath(route), { cookie: galleryCookie(admin.token) }), 401, 'INVALID_TOKEN')
    expectProblem(await forged.get(mediaPath(route)), 401, 'INVALID_TOKEN')
  }
})

test('the list returns each photo with these keys', async () => {
  const [ceremony] = (await admin.get('/api/admin/categories/global')).body
  await api.upload(event.id, await jpeg({ seed: 3 }), { fields: { category_id: ceremony.id } })
  const { photos, categories, event: info, pagination, hidden_until_reveal } = await list()
  const keys = `id filename original_filename url thumbnail_url type category_id category_name allow_download
    allow_original_download size_bytes
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
    expect((await guest.get(thumbnail_url)).headers.get('content-type')).toBe('image/jpeg')
  }
})
