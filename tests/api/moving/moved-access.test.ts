import { expect, test } from 'vitest'
import { replaceForeignHash } from '../../../server/events/gallery-passwords.ts'
import { hashToken } from '../../../server/platform/hash-token.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { createClient } from '../../support/clients/test-client.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { createAccount, withAppContext } from '../../support/fixtures/accounts.ts'
import { createCustomer, signInAsCustomer, signInCustomer } from '../../support/fixtures/customers.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, api, anonymous } = service

/** Of the password `Velvet-Harbor-26`. */
const bcrypt = '$2y$04$5qYW1o4cn8m/PALn9.YOru98aNIoahBCmfU8FDjtQZ6tPMrNVteke'
const password = 'Velvet-Harbor-26'

type Table = 'users' | 'customers' | 'events'
const readHash = (table: Table, id: number): string =>
  readDatabase(service, (stored) =>
    String(stored.prepare(`select password_hash from ${table} where id = ?`).pluck().get(id)),
  )
const writeHash = (table: Table, id: number) =>
  changeDatabase(service, (stored) =>
    stored.prepare(`update ${table} set password_hash = ? where id = ?`).run(bcrypt, id),
  )

test('an account signs in with its bcrypt hash, which is replaced without ending sessions', async () => {
  const account = await createAccount(service, 'editor')
  await writeHash('users', account.id)
  const signIn = (attempt: string) =>
    anonymous.post('/api/auth/admin/login', { username: account.username, password: attempt })
  expect((await signIn('Velvet-Harbor-27')).status).toBe(401)
  expect(readHash('users', account.id)).toBe(bcrypt)
  expect((await signIn(password)).status).toBe(200)
  expect(readHash('users', account.id)).toMatch(/^\$argon2id\$/)
  expect((await signIn(password)).status).toBe(200)
  expect((await account.admin.get('/api/admin/events')).status).toBe(200)
})

test('a customer signs in with a bcrypt hash, which is replaced without ending sessions', async () => {
  const customer = await createCustomer(admin, { password })
  const before = await signInAsCustomer(service, customer)
  await writeHash('customers', customer.id)
  expect((await signInCustomer(service, customer.email, 'Velvet-Harbor-27')).status).toBe(401)
  expect(readHash('customers', customer.id)).toBe(bcrypt)
  expect((await signInCustomer(service, customer.email, password)).status).toBe(200)
  expect(readHash('customers', customer.id)).toMatch(/^\$argon2id\$/)
  expect((await signInCustomer(service, customer.email, password)).status).toBe(200)
  expect((await before.get('/api/customer/events')).status).toBe(200)
})

test('guests enter with a bcrypt hash, which is replaced without ending sessions', async () => {
  const event = await createEvent(api, { require_password: true, password })
  const enter = (attempt: string) => anonymous.post('/api/auth/gallery/verify', { slug: event.slug, password: attempt })
  const before = createClient(service.url, (await enter(password)).body.token)
  await writeHash('events', event.id)
  // A change through the API, so that the service reads the event again.
  await api.patch(`/api/v1/events/${event.id}`, { welcome_message: 'Hello' })
  expect((await enter('Velvet-Harbor-27')).status).toBe(401)
  expect(readHash('events', event.id)).toBe(bcrypt)
  expect((await enter(`${password} `)).status).toBe(200)
  expect(readHash('events', event.id)).toMatch(/^\$argon2id\$/)
  expect((await enter(password)).status).toBe(200)
  expect((await before.get(`/api/gallery/${event.slug}/photos`)).status).toBe(200)
})

test('a password that is changed during an entry stays', async () => {
  const event = await createEvent(api, { require_password: true, password: 'another-password' })
  const changed = readHash('events', event.id)
  await withAppContext(service, (ctx) => replaceForeignHash(ctx, { id: event.id, password_hash: bcrypt }, password))
  expect(readHash('events', event.id)).toBe(changed)
})

test('a moved API token keeps working, and only where API tokens work', async () => {
  const token = 'pp_live_xWCQ2snMhrQpm1XyMhCklgbtFk98FnTq'
  const known = createClient(service.url, token)
  expect((await known.get('/api/v1/events')).status).toBe(401)
  await changeDatabase(service, (stored) =>
    stored
      .prepare(
        `insert into api_tokens (user_id, name, token_hash, token_preview, scope, created_at)
        values ((select min(id) from users), 'moved', ?, 'pp_live_xWCQ', 'read', 0)`,
      )
      .run(hashToken(token)),
  )
  const moved = createClient(service.url, token)
  expect((await moved.get('/api/v1/events')).status).toBe(200)
  expect((await moved.post('/api/v1/events', { event_type: 'other', event_name: 'No' })).status).toBe(403)
  const rejected = await moved.get('/api/admin/events')
  expectProblem(rejected, 401, 'INVALID_TOKEN')
  expect(rejected.body.error).toMatch(/^API tokens are not accepted here/)
})

test('old addresses lead to the present one, and give nothing else', async () => {
  const event = await createEvent(api, { require_password: true, password })
  const token = 'a1b2c3d4e5f60718a1b2c3d4e5f60718'
  await changeDatabase(service, (stored) => {
    stored.prepare('update events set share_token = ? where id = ?').run(token, event.id)
    stored.prepare('insert into old_slugs (slug, event_id) values (?, ?)').run('wedding-of-ana', event.id)
  })
  const locate = async (path: string) => {
    const { status, headers } = await fetch(service.url + path, { redirect: 'manual' })
    return [status, headers.get('location')]
  }
  expect(await locate(`/gallery/${token}`)).toEqual([302, `/gallery/${event.slug}/${token}`])
  expect(await locate('/gallery/wedding-of-ana')).toEqual([302, `/gallery/${event.slug}`])
  expect(await locate(`/gallery/wedding-of-ana/${token}`)).toEqual([302, `/gallery/${event.slug}/${token}`])
  expect(await locate(`/gallery/${'f'.repeat(32)}`)).toEqual([404, null])
  expect(await locate('/gallery/wedding-of-anna')).toEqual([404, null])
})
