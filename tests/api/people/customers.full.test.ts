import { describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { createAccount } from '../../support/fixtures/accounts.ts'
import { assignmentPath, createCustomer, signInAsCustomer, signInCustomer } from '../../support/fixtures/customers.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin } = service
const path = '/api/admin/customers'

const change = (id: number, body: object, client = admin) => client.patch(`${path}/${id}`, body)
const listIds = async (client: TestClient) =>
  (await client.get(`${path}?limit=100`)).body.customers.map(({ id }: { id: number }) => id)

describe('creating a customer', () => {
  test('returns 201 with the customer, never with the password', async () => {
    const fields = { name: 'Ana', email: 'Ana@Example.com' }
    const { status, body, bytes } = await admin.post(path, { ...fields, password: 'eight888' })
    expect(status).toBe(201)
    expect(body).toEqual({
      ...fields,
      id: expect.any(Number),
      is_active: true,
      has_password: true,
      events: [],
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      last_login_at: null,
    })
    expect(bytes.toString()).not.toMatch(/eight888|argon2/)
    const rows = readDatabase(service, (stored) => stored.prepare('select * from customers').all())
    expect(JSON.stringify(rows)).not.toMatch(/eight888/)
  })

  test('requires a name, an address of no other customer, and 8 to 128 characters', async () => {
    const { email } = await createCustomer(admin)
    const again = await admin.post(path, { name: 'Again', email: email.toUpperCase() })
    expectProblem(again, 409, 'CUSTOMER_EXISTS')
    expect(again.bytes.toString()).not.toContain(email.toUpperCase())
    const valid = { name: 'A', email: 'a@example.com' }
    for (const [invalid, field] of [
      [{ name: undefined }, 'name'],
      [{ name: '  ' }, 'name'],
      [{ email: 'nowhere' }, 'email'],
      [{ password: '7777777' }, 'password'],
      [{ password: 'x'.repeat(129) }, 'password'],
    ] as const) {
      expectInvalidField(await admin.post(path, { ...valid, ...invalid }), field)
    }
  })

  test('without a password allows no sign-in until one is set', async () => {
    const { id, email } = await createCustomer(admin, { password: undefined })
    for (const password of ['x', 'undefined', 'null'])
      expect((await signInCustomer(service, email, password)).status).toBe(401)
    expect((await change(id, { password: 'now there is one' })).body.has_password).toBe(true)
    expect((await signInCustomer(service, email, 'now there is one')).status).toBe(200)
  })
})

test('a change affects only the sent fields, and the sign-in uses the new address', async () => {
  const [one, other] = [await createCustomer(admin), await createCustomer(admin)]
  const client = await signInAsCustomer(service, one)
  const { status, body } = await change(one.id, { name: 'Ana Berg' })
  expect(status).toBe(200)
  expect(body).toMatchObject({ name: 'Ana Berg', email: one.email, is_active: true, has_password: true })
  expect((await client.get('/api/customer/auth/session')).body.customer.name).toBe('Ana Berg')
  expectProblem(await change(one.id, { email: other.email }), 409, 'CUSTOMER_EXISTS')
  expect((await change(one.id, { email: one.email.toUpperCase() })).status).toBe(200)
  expect((await change(one.id, { email: 'moved@example.com' })).body.email).toBe('moved@example.com')
  expect((await signInCustomer(service, 'moved@example.com', one.password)).status).toBe(200)
  expect((await signInCustomer(service, one.email, one.password)).status).toBe(401)
  expectInvalidField(await change(one.id, { session_version: 1 }), 'session_version')
})

test('a new password, a deactivation and a deletion end the sessions of a customer', async () => {
  const expectEnded = async (client: TestClient, code: string) => {
    expectProblem(await client.get('/api/customer/events'), 401, code)
    expect((await client.get('/api/customer/auth/session')).body).toEqual({ valid: false, customer: null })
  }
  const customer = await createCustomer(admin)
  const first = await signInAsCustomer(service, customer)
  expect((await first.get('/api/customer/events')).status).toBe(200)
  const password = 'another one'
  await change(customer.id, { password })
  await expectEnded(first, 'TOKEN_REVOKED')

  const second = await signInAsCustomer(service, { ...customer, password })
  await change(customer.id, { is_active: false })
  await expectEnded(second, 'OWNER_INACTIVE')
  expectProblem(await signInCustomer(service, customer.email, password), 401, 'INVALID_CREDENTIALS')
  await change(customer.id, { is_active: true })
  await expectEnded(second, 'TOKEN_REVOKED')

  const third = await signInAsCustomer(service, { ...customer, password })
  expect((await admin.delete(`${path}/${customer.id}`)).body).toEqual({ id: customer.id, deleted: true })
  await expectEnded(third, 'INVALID_TOKEN')
  // The address is free again.
  expect((await createCustomer(admin, { email: customer.email })).id).not.toBe(customer.id)
})

test('an event is assigned, also twice, unless it is archived, and removed in any state', async () => {
  const [customer, other] = [await createCustomer(admin), await createCustomer(admin)]
  const event = await createEvent(service.api)
  const remove = () => admin.delete(assignmentPath(customer, event))
  for (let time = 0; time < 2; time++) {
    const { status, body } = await admin.put(assignmentPath(customer, event), {})
    expect(status).toBe(200)
    expect(body.events).toEqual([{ id: event.id, slug: event.slug, event_name: 'Ana & Ben' }])
  }
  await service.api.post(`/api/v1/events/${event.id}/archive`, {})
  expectProblem(await admin.put(assignmentPath(other, event), {}), 409, 'EVENT_ARCHIVED')
  expect((await remove()).body.events).toEqual([])
  expect((await remove()).status).toBe(200)
})

describe('an operator sees', async () => {
  const owner = await createAccount(service, 'admin')
  const stranger = await createAccount(service, 'editor')

  test('the own customers, newest first and in pages; a super_admin sees all', async () => {
    const [first, second] = [await createCustomer(owner.admin), await createCustomer(owner.admin)]
    const foreign = await createCustomer(stranger.admin)
    const own = await listIds(owner.admin)
    expect(own.slice(0, 2)).toEqual([second.id, first.id])
    expect(own).not.toContain(foreign.id)
    expect(await listIds(admin)).toEqual(expect.arrayContaining([first.id, second.id, foreign.id]))
    const { customers, pagination } = (await owner.admin.get(`${path}?page=2&limit=1`)).body
    expect(customers.map(({ id }: { id: number }) => id)).toEqual([first.id])
    expect(pagination).toEqual({ page: 2, limit: 1, total: own.length, pages: own.length })
  })

  test('no customers of others (404), and assigns no events of others (403)', async () => {
    const [customer, event] = [await createCustomer(owner.admin), await createEvent(owner.api)]
    for (const answer of [
      await change(customer.id, { name: 'Mine' }, stranger.admin),
      await stranger.admin.delete(`${path}/${customer.id}`),
      await stranger.admin.put(assignmentPath(customer, await createEvent(stranger.api)), {}),
    ]) {
      expectProblem(answer, 404, 'NOT_FOUND')
    }
    const own = await createCustomer(stranger.admin)
    expectProblem(await stranger.admin.put(assignmentPath(own, event), {}), 403, 'FORBIDDEN')
    expectProblem(await stranger.admin.delete(assignmentPath(own, event)), 403, 'FORBIDDEN')
  })

  test('also a customer of an event of the account, with that event alone and read-only', async () => {
    const customer = await createCustomer(owner.admin)
    const [foreignEvent, ownEvent] = [await createEvent(stranger.api), await createEvent(owner.api)]
    await owner.admin.put(assignmentPath(customer, ownEvent), {})
    await admin.put(assignmentPath(customer, foreignEvent), {})
    expect(await listIds(stranger.admin)).toContain(customer.id)
    const { body } = await stranger.admin.put(assignmentPath(customer, foreignEvent), {})
    expect(body.events.map(({ id }: { id: number }) => id)).toEqual([foreignEvent.id])
    expectProblem(await change(customer.id, { password: 'lets me in' }, stranger.admin), 403, 'FORBIDDEN')
    expectProblem(await stranger.admin.delete(`${path}/${customer.id}`), 403, 'FORBIDDEN')
    expect((await signInCustomer(service, customer.email, customer.password)).status).toBe(200)

    await stranger.admin.delete(assignmentPath(customer, foreignEvent))
    expect(await listIds(stranger.admin)).not.toContain(customer.id)
  })
})
