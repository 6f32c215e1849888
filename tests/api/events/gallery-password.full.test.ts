import { describe, expect, test } from 'vitest'
import { pruneGalleryPasswords } from '../../../server/events/gallery-passwords.ts'
import { minutes } from '../../../server/platform/time/clock.ts'
import type { AppContext } from '../../../server/settings/app-context.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { createAccount, withAppContext } from '../../support/fixtures/accounts.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { isOnPostgres } from '../../support/service/back-ends.ts'
import { serviceForFile, sharedService, type TestService } from '../../support/service/test-service.ts'

const environment = { ENCRYPTION_KEY: 'k'.repeat(40) }
const service = await serviceForFile({ environment })
const { admin, api } = service
const password = 'tulips and roses'

const reveal = (event: { id: number }, client: TestClient = admin) =>
  client.post(`/api/admin/events/${event.id}/reveal-password`, undefined)
const getPassword = async (event: { id: number }) => (await reveal(event)).body.password
const createProtected = () => createEvent(api, { require_password: true, password })
/** Without the key of the service, PostgreSQL would keep none: the generated key is beside the passwords. */
const prune = (change = (ctx: AppContext) => ctx) =>
  withAppContext(service, (ctx) => pruneGalleryPasswords(change(ctx)), environment)
const countStored = (at: TestService = service): number =>
  readDatabase(at, (stored) => stored.prepare('select * from gallery_passwords').all().length)

describe('the password of a gallery', () => {
  test('can be read again, whichever operation has set it', async () => {
    const event = await createProtected()
    expect(await getPassword(event)).toBe(password)
    await api.patch(`/api/v1/events/${event.id}`, { password: 'daisies, mostly' })
    expect(await getPassword(event)).toBe('daisies, mostly')
    const { body: reset } = await admin.post(`/api/admin/events/${event.id}/reset-password`, undefined)
    expect(await getPassword(event)).toBe(reset.password)
    const { body: copy } = await admin.post(`/api/admin/events/${event.id}/duplicate`, undefined)
    expect(await getPassword(copy)).toBe(copy.password)
    await admin.post(`/api/admin/events/${event.id}/renew-link`, undefined)
    expect(await getPassword(event)).toBe(reset.password)
  })

  test('is null while the gallery has none', async () => {
    const event = await createProtected()
    expect(await getPassword(await createEvent(api))).toBeNull()
    await admin.put(`/api/admin/events/${event.id}`, { require_password: false })
    expect(await getPassword(event)).toBeNull()
    await admin.put(`/api/admin/events/${event.id}`, { require_password: true })
    expect(await getPassword(event)).toBe(password)
    await admin.put(`/api/admin/events/${event.id}`, { require_password: false, password: null })
    expect(await getPassword(event)).toBeNull()
  })

  test('is stored encrypted, and appears in no other response and in no log', async () => {
    const event = await createProtected()
    const paths = [`/api/v1/events/${event.id}`, '/api/v1/events', '/api/admin/events', '/api/admin/activity']
    for (const path of paths) expect(JSON.stringify((await admin.get(path)).body)).not.toContain(password)
    const everything = readDatabase(service, (stored) =>
      JSON.stringify(stored.tables().map((name) => stored.prepare(`select * from "${name}"`).all())),
    )
    expect(everything).not.toContain(password)
  })

  test('is given to owners in a session only, and each time is recorded', async () => {
    const owner = await createAccount(service, 'admin')
    const event = await createEvent(owner.api, { require_password: true, password })
    expect((await reveal(event, owner.api)).status).toBe(401)
    expect((await reveal(event, owner.admin)).body).toEqual({ password })
    const { body } = await admin.get('/api/admin/activity?action=revealEventPassword&limit=1')
    expect(body.activity).toMatchObject([{ event: { id: event.id }, user: { id: owner.id }, outcome: 'done' }])
  })

  test('is erased an hour after the event is archived, and with the event', async () => {
    const [archived, deleted] = [await createProtected(), await createProtected()]
    const before = countStored()
    await admin.post(`/api/admin/events/${archived.id}/archive`, undefined)
    await admin.delete(`/api/admin/events/${deleted.id}`)
    const pruneAfter = (ms: number) => prune((ctx) => ({ ...ctx, clock: { now: () => Date.now() + ms } }))
    await pruneAfter(minutes(59))
    expect(countStored()).toBe(before - 1)
    await pruneAfter(minutes(61))
    expect(countStored()).toBe(before - 2)
    await admin.post(`/api/admin/events/${archived.id}/restore`, undefined)
    expect(await getPassword(archived)).toBeNull()
    const entry = { slug: archived.slug, password }
    expect((await service.anonymous.post('/api/auth/gallery/verify', entry)).status).toBe(200)
  })

  test('is neither stored nor shown while gallery_keep_passwords is off, and erased by the hourly job', async () => {
    const before = await createProtected()
    await admin.put('/api/admin/settings', { gallery_keep_passwords: false })
    expect(await getPassword(before)).toBeNull()
    const stored = countStored()
    await createProtected()
    expect(countStored()).toBe(stored)
    await prune()
    expect(countStored()).toBe(0)
    await admin.put('/api/admin/settings', { gallery_keep_passwords: true })
    expect(await getPassword(before)).toBeNull()
  })
})

test('without ENCRYPTION_KEY, passwords are stored only where the generated key is outside the database', async () => {
  const shared = await sharedService()
  const event = await createEvent(shared.api, { require_password: true, password })
  const { body } = await reveal(event, shared.admin)
  expect(body).toEqual({ password: isOnPostgres ? null : password })
})
