import { describe, expect, test } from 'vitest'
import type { ActivityRecord } from '../../../contract/instance/activity.ts'
import { pruneActivity } from '../../../server/dashboard/activity/activity-log.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { createClient, type TestClient } from '../../support/clients/test-client.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { createAccount, signIn, withAppContext } from '../../support/fixtures/accounts.ts'
import { createEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { adminPassword, serviceForFile, serviceForTest } from '../../support/service/test-service.ts'

const service = await serviceForFile()
const { admin, api, anonymous } = service

async function listActivity(client: TestClient, query = ''): Promise<ActivityRecord[]> {
  const { status, body } = await client.get(`/api/admin/activity?limit=100${query}`)
  expect(status).toBe(200)
  return body.activity
}

const listActions = async (client: TestClient, query = '') =>
  (await listActivity(client, query)).map(({ action }) => action)

describe('GET /api/admin/activity', () => {
  test('returns who did what, in which event, how and from where, newest first', async () => {
    const { id } = await createEvent(api)
    const [photoId] = await uploadPhotos(api, id, 1)
    await admin.patch(`/api/admin/photos/${id}/photos/${photoId}`, { visibility: 'hidden' })
    const [hiding, upload, creation] = await listActivity(admin, `&event_id=${id}`)
    const common = {
      ...{ id: expect.any(Number), at: expect.stringMatching(/Z$/), outcome: 'done', count: 1 },
      ...{ user: { id: 1, username: 'admin' }, address: '127.0.0.0/24', event: { id, event_name: 'Ana & Ben' } },
    }
    const byToken = { via: 'token', token_id: expect.any(Number) }
    const photoSubject = { subject: 'photo', subject_ids: [photoId] }
    expect(hiding).toEqual({ ...common, action: 'changePhoto', via: 'session', token_id: null, ...photoSubject })
    expect(upload).toEqual({ ...common, action: 'uploadPhoto', ...byToken, ...photoSubject })
    expect(creation).toEqual({ ...common, action: 'createEvent', ...byToken, subject: null, subject_ids: [] })
  })

  test('records no reads, rejections or guests', async () => {
    const event = await createEvent(api)
    const before = await listActions(admin)
    await admin.get(`/api/admin/events/${event.id}`)
    await admin.patch(`/api/admin/events/${event.id}`, { event_name: '' })
    await admin.post('/api/admin/events/999999/archive', {})
    await anonymous.post('/api/auth/gallery/share-login', { slug: event.slug, token: event.share_token })
    expect(await listActions(admin)).toEqual(before)
  })

  test('combines repeated operations into one row with a count, and keeps it for a super_admin', async () => {
    const { id } = await createEvent(api)
    const photos = await uploadPhotos(api, id, 3)
    expect(await listActivity(admin, `&event_id=${id}&action=uploadPhoto`)).toMatchObject([
      { count: 3, subject: 'photo', subject_ids: photos },
    ])
    await admin.delete(`/api/admin/events/${id}`)
    expect(await listActivity(admin, '&action=deleteEvent')).toMatchObject([{ event: { id, event_name: null } }])
  })

  test('stores no value that was sent', async () => {
    const secret = 'a secret nobody should keep'
    const { id } = await createEvent(api, { require_password: true, password: secret, event_name: 'Quiet words' })
    await admin.patch(`/api/admin/events/${id}`, { password: `${secret} either` })
    await admin.put('/api/admin/settings', { branding_studio_name: 'Hidden Studio' })
    await admin.post('/api/admin/api-tokens', { name: 'unspoken', scopes: ['read'] })
    expect(await listActions(admin)).toEqual(expect.arrayContaining(['changeSettings', 'createApiToken']))
    const rows = readDatabase(service, (stored) => stored.prepare('select * from activity').all())
    expect(rows.length).toBeGreaterThan(3)
    expect(JSON.stringify(rows)).not.toMatch(/secret|Quiet|Hidden|unspoken/)
  })

  test('records sign-in and sign-out with their account', async () => {
    const editor = await createAccount(service, 'editor')
    const { body } = await signIn(service, editor.username, editor.password)
    await createClient(service.url, body.token).post('/api/auth/logout', {})
    const [signOut, , ...signIns] = await listActivity(admin, `&user_id=${editor.id}`)
    const user = { id: editor.id, username: editor.username }
    expect(signOut).toMatchObject({ action: 'signOut', via: 'session', user })
    expect(signIns).toMatchObject([{ action: 'signIn', outcome: 'done', via: 'sign-in', count: 2 }])
    const before = (await listActions(admin)).length
    await anonymous.post('/api/auth/logout', {})
    expect(await listActions(admin)).toHaveLength(before)
  })

  test('records a locked sign-in once, without the name that was tried', async () => {
    const viewer = await createAccount(service, 'viewer')
    for (let attempt = 1; attempt <= 8; attempt++) await signIn(service, viewer.username, 'wrong')
    for (let attempt = 1; attempt <= 8; attempt++) await signIn(service, 'nobody-of-this-name', 'wrong')
    const locked = (await listActivity(admin, '&action=signIn')).filter(({ outcome }) => outcome === 'locked')
    expect(locked.map(({ user, count }) => [user?.id ?? null, count])).toEqual([
      [null, 1],
      [viewer.id, 1],
    ])
    const rows = readDatabase(service, (stored) => stored.prepare('select * from activity').all())
    expect(JSON.stringify(rows)).not.toContain('nobody-of-this-name')
  })

  test('shows other accounts only what concerns their events or themselves', { tags: 'database' }, async () => {
    const owner = await createAccount(service, 'admin')
    const [own, shared] = [await createEvent(owner.api), await createEvent(api)]
    await admin.patch(`/api/admin/events/${own.id}`, { event_name: 'By another' })
    const members = `/api/admin/events/${shared.id}/members`
    await admin.put(members, { user_ids: [owner.id] })
    await owner.admin.patch(`/api/admin/events/${shared.id}`, { welcome_message: 'By a member' })
    const getName = async () =>
      (await listActivity(owner.admin)).find(({ event }) => event?.id === shared.id)?.event?.event_name
    expect(await getName()).toBe('Ana & Ben')
    // A former member sees their own operations, without the name of the event.
    await admin.put(members, { user_ids: [] })
    expect(await getName()).toBeNull()
    expectProblem(await owner.admin.get(`/api/admin/activity?event_id=${shared.id}`), 403, 'FORBIDDEN')
    const seen = await listActivity(owner.admin)
    expect(seen.some(({ event, user }) => event?.id === own.id && user?.id === 1)).toBe(true)
    expect(seen.filter(({ event, user }) => event?.id !== own.id && user?.id !== owner.id)).toEqual([])
    const actions = ['changeEvent', 'createEvent', 'createApiToken', 'signIn']
    expect(await listActions(admin, `&user_id=${owner.id}`)).toEqual(actions)
  })

  test('supports pages and a start time', async () => {
    const first = await admin.get('/api/admin/activity?limit=2')
    const second = await admin.get('/api/admin/activity?limit=2&page=2')
    const { total, pages } = first.body.pagination
    expect(first.body.pagination).toEqual({ page: 1, limit: 2, total, pages: Math.ceil(total / 2) })
    expect(pages).toBeGreaterThan(2)
    const ids = [...first.body.activity, ...second.body.activity].map(({ id }: ActivityRecord) => id)
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a))
    expect(await listActivity(admin, '&since=2100-01-01')).toEqual([])
    expect(await listActivity(admin, '&since=2001-01-01')).toEqual(await listActivity(admin))
    const today = new Date().toISOString().slice(0, 10)
    expect(await listActivity(admin, `&since=${today}`)).toEqual(await listActivity(admin))
    expectProblem(await admin.get('/api/admin/activity?since=yesterday'), 400, 'VALIDATION_ERROR')
  })
})

test('entries that are too old or too many are deleted', async () => {
  const fresh = await serviceForTest()
  for (const name of ['One', 'Two', 'Three', 'Four'])
    await fresh.admin.put('/api/admin/branding', { studio_name: name })
  await fresh.admin.put('/api/admin/settings', { activity_kept_days: 30 })
  expect(await listActions(fresh.admin)).toEqual(['changeSettings', 'changeBranding', 'createApiToken', 'signIn'])
  await withAppContext(fresh, (ctx) => pruneActivity(ctx, 2))
  expect(await listActions(fresh.admin)).toEqual(['changeSettings', 'changeBranding'])
  const later = { now: () => Date.now() + 31 * 86_400_000 }
  await withAppContext(fresh, (ctx) => pruneActivity({ ...ctx, clock: later }))
  expect(await listActivity(fresh.admin)).toEqual([])
  expect((await signIn(fresh, 'admin', adminPassword)).status).toBe(200)
})
