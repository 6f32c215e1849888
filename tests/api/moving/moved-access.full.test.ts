import { expect, test } from 'vitest'
import { replaceForeignHash } from '../../../server/events/gallery-passwords.ts'
import { hashToken } from '../../../server/platform/security/hash-token.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { createClient } from '../../support/clients/test-client.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { createAccount, signIn, withAppContext } from '../../support/fixtures/accounts.ts'
import { createCustomer, signInAsCustomer, signInCustomer } from '../../support/fixtures/customers.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, api, anonymous } = service

/** The hash of `Velvet-Harbor-26`. */
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

test('accounts, customers and guests enter with a bcrypt hash, which is replaced without ending sessions', async () => {
  const account = await createAccount(service, 'editor')
  const customer = await createCustomer(admin, { password })
  const event = await createEvent(api, { require_password: true, password })
  const enterGallery = (attempt: string) =>
    anonymous.post('/api/auth/gallery/verify', { slug: event.slug, password: attempt })
  const inGallery = createClient(service.url, (await enterGallery(password)).body.token)
  const asCustomer = await signInAsCustomer(service, customer)
  const signInUser = (attempt: string) => signIn(service, account.username, attempt)
  const enterAsCustomer = (attempt: string) => signInCustomer(service, customer.email, attempt)
  for (const [table, id, enter, read] of [
    ['users', account.id, signInUser, () => account.admin.get('/api/admin/events')],
    ['customers', customer.id, enterAsCustomer, () => asCustomer.get('/api/customer/events')],
    ['events', event.id, enterGallery, () => inGallery.get(`/api/gallery/${event.slug}/photos`)],
  ] as const) {
    await writeHash(table, id)
    // A change through the API, so that the service reads the event again.
    await api.patch(`/api/v1/events/${event.id}`, { welcome_message: table })
    expect((await enter('Velvet-Harbor-27')).status, table).toBe(401)
    expect(readHash(table, id)).toBe(bcrypt)
    expect((await enter(password)).status, table).toBe(200)
    expect(readHash(table, id)).toMatch(/^\$argon2id\$/)
    expect((await enter(password)).status, table).toBe(200)
    expect((await read()).status, table).toBe(200)
  }
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
