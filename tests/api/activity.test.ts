import { describe, expect, test } from 'vitest'
import type { ActivityRecord } from '../../contract/activity.ts'
import { pruneActivity } from '../../server/activity/prune-activity.ts'
import { createAccount, signIn, withAppContext } from '../support/accounts.ts'
import { createEvent, uploadPhotos } from '../support/events.ts'
import { expectProblem } from '../support/problems.ts'
import { inDatabase } from '../support/stored.ts'
import { createClient, type TestClient } from '../support/test-client.ts'
import { adminPassword, serviceForFile, serviceForTest } from '../support/test-service.ts'

const service = await serviceForFile()
const { admin, api, anonymous } = service

async function activityOf(client: TestClient, query = ''): Promise<ActivityRecord[]> {
  const { status, body } = await client.get(`/api/admin/activity?limit=100${query}`)
  expect(status).toBe(200)
  return body.activity
}

const actionsOf = async (client: TestClient, query = '') =>
  (await activityOf(client, query)).map(({ action }) => action)

describe('GET /api/admin/activity', () => {
  test('returns who did what, in which event, how and from where, newest first', async () => {
    const { id } = await createEvent(api)
    const [photoId] = await uploadPhotos(api, id, 1)
    await admin.patch(`/api/admin/photos/${id}/photos/${photoId}`, { visibility: 'hidden' })
    const [hiding, upload, creation] = await activityOf(admin, `&event_id=${id}`)
    const common = {
      id: expect.any(Number),
      at: expect.stringMatching(/Z$/),
      outcome: 'done',
      user: { id: 1, username: 'admin' },
      address: '127.0.0.0/24',
      event: { id, event_name: 'Ana & Ben' },
      count: 1,
    }
    const byToken = { via: 'token', token_id: expect.any(Number) }
    const ofPhoto = { subject: 'photo', subject_ids: [photoId] }
    expect(hiding).toEqual({ ...common, action: 'changePhoto', via: 'session', token_id: null, ...ofPhoto })
    expect(upload).toEqual({ ...common, action: 'uploadPhoto', ...byToken, ...ofPhoto })
    expect(creation).toEqual({ ...common, action: 'createEvent', ...byToken, subject: null, subject_ids: [] })
  })

  test('records no reads, rejections or guests', async () => {
    const event = await createEvent(api)
    const before = await actionsOf(admin)
    await admin.get(`/api/admin/events/${event.id}`)
    await admin.patch(`/api/admin/events/${event.id}`, { event_name: '' })
    await admin.post('/api/admin/events/999999/archive', {})
    await anonymous.post('/api/auth/gallery/share-login', { slug: event.slug, token: event.share_token })
    expect(await actionsOf(admin)).toEqual(before)
  })

  test('combines repeated operations into one row with a count', async () => {
    const { id } = await createEvent(api)
    const photos = await uploadPhotos(api, id, 3)
    expect(await activityOf(admin, `&event_id=${id}&action=uploadPhoto`)).toMatchObject([
      { count: 3, subject: 'photo', subject_ids: photos },
    ])
  })

  test('stores no value that was sent', async () => {
    const secret = 'a secret nobody should keep'
    const { id } = await createEvent(api, { require_password: true, password: secret, event_name: 'Quiet words' })
    await admin.patch(`/api/admin/events/${id}`, { password: `${secret} either` })
    await admin.put('/api/admin/settings', { branding_studio_name: 'Hidden Studio' })
    await admin.post('/api/admin/api-tokens', { name: 'unspoken', scopes: ['read'] })
    expect(await actionsOf(admin)).toEqual(expect.arrayContaining(['changeSettings', 'createApiToken']))
    const rows = inDatabase(service, (stored) => stored.prepare('select * from activity').all())
    expect(rows.length).toBeGreaterThan(3)
    expect(JSON.stringify(rows)).not.toMatch(/secret|Quiet|Hidden|unspoken/)
  })

  test('records sign-in and sign-out with their account', async () => {
    const editor = await createAccount(service, 'editor')
    const { body } = await signIn(service, editor.username, editor.password)
    await createClient(service.url, body.token).post('/api/auth/logout', {})
    const [out, , ...ins] = await activityOf(admin, `&user_id=${editor.id}`)
    expect(out).toMatchObject({ action: 'signOut', via: 'session', user: { id: editor.id, username: editor.username } })
    expect(ins).toMatchObject([{ action: 'signIn', outcome: 'done', via: 'sign-in', count: 2 }])
    const before = (await actionsOf(admin)).length
    await anonymous.post('/api/auth/logout', {})
    expect(await actionsOf(admin)).toHaveLength(before)
  })

  test('records a locked sign-in once, without the name that was tried', async () => {
    const viewer = await createAccount(service, 'viewer')
    for (let attempt = 1; attempt <= 8; attempt++) await signIn(service, viewer.username, 'wrong')
    for (let attempt = 1; attempt <= 8; attempt++) await signIn(service, 'nobody-of-this-name', 'wrong')
    const locked = (await activityOf(admin, '&action=signIn')).filter(({ outcome }) => outcome === 'locked')
    expect(locked.map(({ user, count }) => [user?.id ?? null, count])).toEqual([
      [null, 1],
      [viewer.id, 1],
    ])
    const rows = inDatabase(service, (stored) => stored.prepare('select * from activity').all())
    expect(JSON.stringify(rows)).not.toContain('nobody-of-this-name')
  })

  test('shows other accounts only what concerns their events or themselves', async () => {
    const owner = await createAccount(service, 'admin')
    const own = await createEvent(owner.api)
    const foreign = await createEvent(api)
    await admin.patch(`/api/admin/events/${own.id}`, { event_name: 'By another' })
    const seen = await activityOf(owner.admin)
    expect(seen.some(({ event, user }) => event?.id === own.id && user?.id === 1)).toBe(true)
    const strange = seen.filter(({ event, user }) => event?.id !== own.id && user?.id !== owner.id)
    expect(strange).toEqual([])
    expectProblem(await owner.admin.get(`/api/admin/activity?event_id=${foreign.id}`), 403, 'FORBIDDEN')
    expect(await actionsOf(admin, `&user_id=${owner.id}`)).toEqual(['createEvent', 'createApiToken', 'signIn'])
  })

  test('hides the name of an event from a former member', async () => {
    const member = await createAccount(service, 'admin')
    const event = await createEvent(api)
    await admin.put(`/api/admin/events/${event.id}/members`, { user_ids: [member.id] })
    await member.admin.patch(`/api/admin/events/${event.id}`, { welcome_message: 'By a member' })
    const nameToMember = async () =>
      (await activityOf(member.admin)).find((operation) => operation.event?.id === event.id)?.event?.event_name
    expect(await nameToMember()).toBe('Ana & Ben')
    await admin.put(`/api/admin/events/${event.id}/members`, { user_ids: [] })
    expect(await nameToMember()).toBeNull()
  })

  test('supports pages and a start time', async () => {
    const first = await admin.get('/api/admin/activity?limit=2')
    const second = await admin.get('/api/admin/activity?limit=2&page=2')
    const { total, pages } = first.body.pagination
    expect(first.body.pagination).toEqual({ page: 1, limit: 2, total, pages: Math.ceil(total / 2) })
    expect(pages).toBeGreaterThan(2)
    const ids = [...first.body.activity, ...second.body.activity].map(({ id }: ActivityRecord) => id)
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a))
    expect(await activityOf(admin, '&since=2100-01-01')).toEqual([])
    expect(await activityOf(admin, '&since=2001-01-01')).toEqual(await activityOf(admin))
    const today = new Date().toISOString().slice(0, 10)
    expect(await activityOf(admin, `&since=${today}`)).toEqual(await activityOf(admin))
    expectProblem(await admin.get('/api/admin/activity?since=yesterday'), 400, 'VALIDATION_ERROR')
  })

  test('keeps the rows of a deleted event for a super_admin', async () => {
    const { id } = await createEvent(api)
    await admin.delete(`/api/admin/events/${id}`)
    expect(await activityOf(admin, '&action=deleteEvent')).toMatchObject([{ event: { id, event_name: null } }])
  })
})

test('entries that are too old or too many are deleted', async () => {
  const fresh = await serviceForTest()
  for (const name of ['One', 'Two', 'Three', 'Four'])
    await fresh.admin.put('/api/admin/branding', { studio_name: name })
  await fresh.admin.put('/api/admin/settings', { activity_kept_days: 30 })
  expect(await actionsOf(fresh.admin)).toEqual(['changeSettings', 'changeBranding', 'createApiToken', 'signIn'])
  await withAppContext(fresh, (ctx) => pruneActivity(ctx, 2))
  expect(await actionsOf(fresh.admin)).toEqual(['changeSettings', 'changeBranding'])
  const later = { now: () => Date.now() + 31 * 86_400_000 }
  await withAppContext(fresh, (ctx) => pruneActivity({ ...ctx, clock: later }))
  expect(await activityOf(fresh.admin)).toEqual([])
  expect((await signIn(fresh, 'admin', adminPassword)).status).toBe(200)
})
