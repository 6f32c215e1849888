import { describe, expect, test } from 'vitest'
import type { Dashboard } from '../../../contract/instance/dashboard.ts'
import { expectInvalidField } from '../../support/clients/problems.ts'
import { createClient, type TestClient } from '../../support/clients/test-client.ts'
import { changeDatabase } from '../../support/database/service-database.ts'
import { createAccount, signIn } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../../support/fixtures/events.ts'
import { createMarkableGallery, createMarking } from '../../support/fixtures/marks.ts'
import { adminPassword, createMovableClock, serviceForTest, sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, api } = service

async function getDashboard(client: TestClient, query = ''): Promise<Dashboard> {
  const { status, body } = await client.get(`/api/admin/dashboard${query}`)
  expect(status).toBe(200)
  return body
}

const dayMs = 86_400_000

describe('GET /api/admin/dashboard', () => {
  test('of an account without events is all zeros, with a day for each of the last 30', async () => {
    const fresh = await createAccount(service, 'viewer')
    const { events, photos, visits, feedback, expiring_soon, days } = await getDashboard(fresh.admin)
    expect(Object.values({ ...events, ...photos, ...visits, ...feedback }).every((figure) => figure === 0)).toBe(true)
    expect(expiring_soon).toEqual([])
    expect(days.map(({ date }) => date)).toEqual(
      Array.from({ length: 30 }, (_, index) => new Date(Date.now() - (29 - index) * dayMs).toISOString().slice(0, 10)),
    )
    expect(await getDashboard(fresh.admin, '?days=90')).toMatchObject({ days: { length: 90 } })
    expectInvalidField(await fresh.admin.get('/api/admin/dashboard?days=31'), 'days')
  })

  test('counts events by state, photos, visits, feedback, and each day', async () => {
    const clock = createMovableClock()
    const own = await serviceForTest({ edges: { clock } })
    const gallery = await createMarkableGallery(own, { expiration_days: 5 })
    const { rate, label, like, favor, give } = createMarking(own, () => gallery)
    const [first, second] = gallery.guests
    await rate(first, 4)
    await rate(second, 5)
    await label(first, 'red')
    await like(first)
    await favor(first)
    await like(second)
    await like(second)
    await give(second, { feedback_type: 'comment', comment_text: 'Lovely' })
    await first.get(`/api/gallery/${gallery.event.slug}/download/${gallery.ids[0]}`)
    await createEvent(own.api, { is_draft: true })
    const { id: archived } = await createEvent(own.api)
    await own.admin.post(`/api/admin/events/${archived}/archive`, {})
    await createEvent(own.api, { expiration_days: 1 })
    const { total_size } = (await own.admin.get(`/api/admin/events/${gallery.event.id}`)).body
    clock.advance(2 * dayMs)

    const again = await signIn(own, 'admin', adminPassword)
    const dashboard = await getDashboard(createClient(own.url, again.body.token))
    expect(dashboard.events).toEqual({ total: 4, draft: 1, live: 1, expired: 1, archived: 1 })
    expect(dashboard.photos).toEqual({ total: 2, videos: 0, processing: 0, failed: 0, size_bytes: total_size })
    expect(dashboard.visits).toEqual({ views: 3, downloads: 1 })
    const given = { ratings: 2, color_labels: 1, favorites: 1 }
    expect(dashboard.feedback).toEqual({ ...given, marked_photos: 1, likes: 1, comments: 0, comments_waiting: 1 })
    expect(dashboard.expiring_soon.map(({ id }) => id)).toEqual([gallery.event.id])
    expect(dashboard.days.at(-1)).toMatchObject({ uploads: 0, views: 0, ratings: 0 })
    const media = { uploads: 2, upload_bytes: total_size, views: 3, downloads: 1 }
    // These likes include the one that was taken back.
    expect(dashboard.days.at(-3)).toMatchObject({ ...given, ...media, likes: 2, comments: 1 })
    const { guests, accounts } = dashboard.acts
    expect(accounts.map(({ act }) => act)).toContain('archiveEvent')
    expect(accounts.map(({ act }) => act)).not.toContain('signIn')
    expect(guests.map(({ act }) => act)).toEqual(expect.arrayContaining(['rating', 'favorite', 'comment', 'visit']))
  })

  test('lists what waits for a decision: comments, uploads of guests and submitted picks', async () => {
    const own = await serviceForTest()
    const name = 'Ana & Ben'
    const gallery = await createMarkableGallery(own, { event_name: name, moderate_comments: true, allow_notes: true })
    const { favor, give } = createMarking(own, () => gallery)
    const [first] = gallery.guests
    const { id, slug } = gallery.event
    await give(first, { feedback_type: 'comment', comment_text: 'Lovely' })
    await first.post(`/api/gallery/${slug}/notes`, { text: 'Please retouch' })
    for (const photo of gallery.ids) {
      await favor(first, photo)
      expect((await first.post(`/api/gallery/${slug}/selection`, {})).status).toBe(200)
    }
    const [photo] = gallery.ids
    await changeDatabase(own, (stored) => {
      stored.prepare("update photos set visibility = 'hidden', awaits_review = 1 where id = ?").run(photo)
    })

    const { waiting, selections } = await getDashboard(own.admin)
    expect(waiting).toEqual([{ id, event_name: name, comments: 1, guest_uploads: 1, notes: 1 }])
    const selection = { event: { id, event_name: name }, guest_name: null, photo_count: 2, round: null }
    expect(selections).toEqual([
      { ...selection, is_reopening_asked: false, id: expect.any(Number), created_at: expect.any(String) },
    ])
    const found = (await own.admin.get('/api/admin/events?limit=10')).body.events
    expect(found[0].waiting).toEqual({ selections: 1, comments: 1, guest_uploads: 1, notes: 1 })
    await own.admin.post(`/api/admin/events/${id}/archive`, undefined)
    expect(await getDashboard(own.admin)).toMatchObject({ waiting: [], selections: [] })
  })

  test('shows an owner only the own events', { tags: 'database' }, async () => {
    const before = await getDashboard(admin)
    const owner = await createAccount(service, 'admin')
    const event = await createEvent(owner.api, { expiration_days: 3 })
    await uploadPhotos(owner.api, event.id, 1)
    const guest = await enterAsGuest(service, event)
    await guest.get(`/api/gallery/${event.slug}/photos`)
    const foreign = await createEvent(api, { expiration_days: 3 })
    await uploadPhotos(api, foreign.id, 2)

    const ownerDashboard = await getDashboard(owner.admin)
    expect(ownerDashboard).toMatchObject({ events: { total: 1 }, photos: { total: 1 }, visits: { views: 1 } })
    expect(ownerDashboard.days.at(-1)).toMatchObject({ uploads: 1, views: 1 })
    expect(ownerDashboard.expiring_soon.map(({ id }) => id)).toEqual([event.id])
    expect(ownerDashboard.acts.accounts.some(({ event: actEvent }) => actEvent?.id === foreign.id)).toBe(false)
    expect(ownerDashboard).toMatchObject({ waiting: [], selections: [] })
    expect((await getDashboard(admin)).photos.total).toBe(before.photos.total + 3)
  })
})
