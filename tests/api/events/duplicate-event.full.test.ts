import { describe, expect, test } from 'vitest'
import { days, hours } from '../../../server/platform/time/clock.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { createAccount } from '../../support/fixtures/accounts.ts'
import { createEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { createMovableClock, serviceForTest, sharedService } from '../../support/service/test-service.ts'
import { createTestWebhook, listAnnouncedOf } from '../../support/webhooks/webhooks.ts'

const service = await sharedService()
const { admin, anonymous, api } = service

const duplicate = (event: { id: number }, body?: Record<string, unknown>, client: TestClient = admin) =>
  client.post(`/api/admin/events/${event.id}/duplicate`, body)
const verify = (slug: string, password: string) => anonymous.post('/api/auth/gallery/verify', { slug, password })
const getEvent = async (id: number) => (await admin.get(`/api/admin/events/${id}`)).body

describe('a duplicate', () => {
  test('has every field of the event, and is a draft with its own slug and link', async () => {
    const event = await createEvent(api, {
      ...{ event_date: '2031-05-04', expires_at: '2031-12-31', reveal_at: '2031-06-01', welcome_message: '# Hello' },
      ...{ customer_name: 'Ana Berg', customer_email: 'ana@example.com', admin_email: 'studio@example.com' },
      ...{
        theme_preset: 'noir',
        header_style: 'minimal',
        typeface: 'literata',
        default_photo_sort: 'filename_asc',
        photo_cap: 12,
      },
      ...{ watermark_downloads: true, watermark_text: 'Proof', download_max_px: 2000 },
      ...{ allow_comments: false, require_guest_name: true, send_email: false },
    })
    const original = await getEvent(event.id)
    const { status, body } = await duplicate(event, {})
    expect(status).toBe(201)
    const { id, share_token, created_at, updated_at } = body
    const link = expect.stringContaining(`/gallery/${event.slug}-1/${share_token}`)
    const own = { id, slug: `${event.slug}-1`, share_token, share_url: link, share_link: link, created_at, updated_at }
    expect(body).toEqual({ ...original, ...own, is_draft: true, password: null })
    expect(body.id).not.toBe(event.id)
    expect(body.share_token).not.toBe(event.share_token)
    expect(await getEvent(event.id)).toEqual(original)
    const secrets = readDatabase(service, (stored) =>
      stored.prepare('select access_key, send_email from events where id in (?, ?)').all(event.id, body.id),
    ) as Array<{ access_key: string; send_email: number }>
    expect(new Set(secrets.map(({ access_key }) => access_key)).size).toBe(2)
    expect(secrets.map(({ send_email }) => send_email)).toEqual([0, 0])
  })

  test('accepts another name and date, which form its slug', async () => {
    const event = await createEvent(api, { event_date: '2031-05-04' })
    const fields = { event_name: 'Cleo & Dan', event_date: '2032-06-07' }
    const { body } = await duplicate(event, { ...fields, event_name: ' Cleo & Dan ' })
    expect(body).toMatchObject({ ...fields, slug: 'wedding-cleo-and-dan-2032-06-07' })
    expectInvalidField(await duplicate(event, { event_name: ' ' }), 'event_name')
    expectInvalidField(await duplicate(event, { event_date: '2032-02-30' }), 'event_date')
  })

  test('copies the event’s own categories, also the one of guest uploads', async () => {
    const event = await createEvent(api)
    const ids: number[] = []
    for (const name of ['Church', 'Dance']) {
      const category = { name, event_id: event.id, allow_downloads: name === 'Dance', sort_order: ids.length }
      ids.push((await admin.post('/api/admin/categories', category)).body.id)
    }
    await api.patch(`/api/v1/events/${event.id}`, { allow_user_uploads: true, upload_category_id: ids[1] })
    const { body } = await duplicate(event)
    const { body: categories } = await admin.get(`/api/admin/categories/event/${body.id}`)
    const own = categories.filter(({ is_global }: { is_global: boolean }) => !is_global)
    expect(own).toMatchObject([
      { name: 'Church', slug: 'church', allow_downloads: false, event_id: body.id, photo_count: 0 },
      { name: 'Dance', slug: 'dance', allow_downloads: true, event_id: body.id },
    ])
    expect(body).toMatchObject({ allow_user_uploads: true, upload_category_id: own[1].id })
    expect(ids).not.toContain(own[1].id)
    const global = categories.find(({ is_global }: { is_global: boolean }) => is_global)
    await api.patch(`/api/v1/events/${event.id}`, { upload_category_id: global.id })
    expect((await duplicate(event)).body.upload_category_id).toBe(global.id)
  })

  test('has no photo, no cover, no counts and no member', async () => {
    const [owner, member] = [await createAccount(service, 'admin'), await createAccount(service, 'admin')]
    const event = await createEvent(owner.api)
    const [photoId] = await uploadPhotos(owner.api, event.id, 2)
    await owner.api.patch(`/api/v1/events/${event.id}`, { cover_photo_id: photoId })
    await owner.admin.put(`/api/admin/events/${event.id}/members`, { user_ids: [member.id] })
    const { body } = await duplicate(event, {}, member.admin)
    expect(body).toMatchObject({ photo_count: 0, total_size: 0, cover_photo_id: null, total_views: 0 })
    expect(body.created_by).toBe(member.id)
    expectProblem(await owner.api.get(`/api/v1/events/${body.id}`), 403, 'FORBIDDEN')
  })

  test('announces only event.created, and goes live only by publish', async () => {
    const event = await createEvent(api)
    const webhook = await createTestWebhook(service)
    const { body } = await duplicate(event)
    expect(listAnnouncedOf(service, body.id).map(({ type }) => type)).toEqual(['event.created'])
    await admin.delete(`/api/admin/webhooks/${webhook.id}`)
    expectProblem(await anonymous.get(`/api/gallery/${body.slug}/info`), 404, 'NOT_FOUND')
    expect((await api.post(`/api/v1/events/${body.id}/publish`, {})).status).toBe(200)
    expect((await anonymous.get(`/api/gallery/${body.slug}/info`)).status).toBe(200)
  })

  test('of an archived or expired event has a new expiry', async () => {
    const clock = createMovableClock()
    const timed = await serviceForTest({ edges: { clock } })
    const event = await createEvent(timed.api, { expires_at: new Date(clock.now() + hours(1)).toISOString() })
    await timed.api.post(`/api/v1/events/${event.id}/archive`, {})
    clock.advance(hours(2))
    const { status, body } = await timed.admin.post(`/api/admin/events/${event.id}/duplicate`, {})
    expect(status).toBe(201)
    expect(body).toMatchObject({ is_draft: true, is_archived: false, archived_at: null, is_active: true })
    expect(Date.parse(body.expires_at)).toBeGreaterThan(clock.now() + days(29))
  })

  test('requires the right to create events', async () => {
    const event = await createEvent(api)
    const viewer = await createAccount(service, 'viewer')
    await admin.put(`/api/admin/events/${event.id}/members`, { user_ids: [viewer.id] })
    expectProblem(await duplicate(event, {}, viewer.admin), 403, 'FORBIDDEN')
  })
})

describe('the password of a duplicate', () => {
  const password = 'tulips and roses'

  test('is a generated one, returned only this once', async () => {
    const event = await createEvent(api, { require_password: true, password })
    const { body } = await duplicate(event, {})
    expect(body.require_password).toBe(true)
    expect(body.password).toMatch(/^[a-z]{6}-[a-z]{6}$/)
    await api.post(`/api/v1/events/${body.id}/publish`, {})
    expect((await verify(body.slug, body.password)).status).toBe(200)
    expect((await verify(body.slug, password)).status).toBe(401)
    expect((await duplicate(event, {})).body.password).not.toBe(body.password)
    expect(await getEvent(body.id)).not.toHaveProperty('password')
  })

  test('is the one sent, which also protects the copy of an open event', async () => {
    for (const protection of [{ require_password: true, password }, { require_password: false }]) {
      const { body } = await duplicate(await createEvent(api, protection), { password: 'lilies and ivy' })
      expect(body).toMatchObject({ require_password: true, password: null })
      await api.post(`/api/v1/events/${body.id}/publish`, {})
      expect((await verify(body.slug, 'lilies and ivy')).status).toBe(200)
    }
    expectInvalidField(await duplicate(await createEvent(api), { password: '123456' }), 'password')
  })
})
