import { beforeAll, describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { readDatabase } from '../../support/database/service-database.ts'
import { type Account, createAccount } from '../../support/fixtures/accounts.ts'
import { assignmentPath, createCustomer, signInAsCustomer, signInCustomer } from '../../support/fixtures/customers.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
const { admin } = service
const path = '/api/admin/customers'

const listIds = async (client: TestClient) =>
  (await client.get(`${path}?limit=100`)).body.customers.map(({ id }: { id: number }) => id)

describe('creating a customer', () => {
  test('returns 201 with the customer, never with the password', async () => {
    const { status, body, bytes } = await admin.post(path, {
      name: 'Ana',
      email: 'Ana@Example.com',
      password: 'eight888',
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'Ana',
      email: 'Ana@Example.com',
      is_active: true,
      has_password: true,
      events: [],
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      last_login_at: null,
    })
    expect(bytes.toString()).not.toMatch(/eight888|argon2/)
    expect(
      readDatabase(service, (stored) => JSON.stringify(stored.prepare('select * from customers').all())),
    ).not.toMatch(/eight888/)
  })

  test('accepts an address once, in any case', async () => {
    const { email } = await createCustomer(admin)
    const again = await admin.post(path, { name: 'Again', email: email.toUpperCase() })
    expectProblem(again, 409, 'CUSTOMER_EXISTS')
    expect(again.bytes.toString()).not.toContain(email.toUpperCase())
  })

  test('requires a name, a mail address, and a password of 8 to 128 characters', async () => {
    expectInvalidField(await admin.post(path, { email: 'a@example.com' }), 'name')
    expectInvalidField(await admin.post(path, { name: '  ', email: 'a@example.com' }), 'name')
    expectInvalidField(await admin.post(path, { name: 'A', email: 'nowhere' }), 'email')
    for (const password of ['7777777', 'x'.repeat(129)]) {
      expectInvalidField(await admin.post(path, { name: 'A', email: 'a@example.com', password }), 'password')
    }
  })

  test('without a password allows no sign-in until one is set', async () => {
    const { id, email } = await createCustomer(admin, { password: undefined })
    for (const password of ['', 'undefined', 'null']) {
      expect((await signInCustomer(service, email, password || 'x')).status).toBe(401)
    }
    const { body } = await admin.patch(`${path}/${id}`, { password: 'now there is one' })
    expect(body.has_password).toBe(true)
    expect((await signInCustomer(service, email, 'now there is one')).status).toBe(200)
  })
})

describe('changing a customer', () => {
  test('changes only the sent fields', async () => {
    const customer = await createCustomer(admin)
    const { status, body } = await admin.patch(`${path}/${customer.id}`, { name: 'Ana Berg' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ name: 'Ana Berg', email: customer.email, is_active: true, has_password: true })
    expect((await signInCustomer(service, customer.email, customer.password)).status).toBe(200)
  })

  test('changes the address, unless another customer has it', async () => {
    const [one, other] = [await createCustomer(admin), await createCustomer(admin)]
    expectProblem(await admin.patch(`${path}/${one.id}`, { email: other.email }), 409, 'CUSTOMER_EXISTS')
    expect((await admin.patch(`${path}/${one.id}`, { email: one.email.toUpperCase() })).status).toBe(200)
    expect((await admin.patch(`${path}/${one.id}`, { email: 'moved@example.com' })).body.email).toBe(
      'moved@example.com',
    )
    expect((await signInCustomer(service, 'moved@example.com', one.password)).status).toBe(200)
    expect((await signInCustomer(service, one.email, one.password)).status).toBe(401)
  })

  test('rejects unknown keys', async () => {
    const { id } = await createCustomer(admin)
    expectInvalidField(await admin.patch(`${path}/${id}`, { session_version: 1 }), 'session_version')
  })

  test('an unknown customer returns 404', async () => {
    expectProblem(await admin.patch(`${path}/999999`, {}), 404, 'NOT_FOUND')
    expectProblem(await admin.delete(`${path}/999999`), 404, 'NOT_FOUND')
  })
})

describe('what ends the sessions of a customer', () => {
  test.each([
    ['a new password', { password: 'another one' }, 'TOKEN_REVOKED'],
    ['a deactivation', { is_active: false }, 'OWNER_INACTIVE'],
  ])('%s', async (_what, change, code) => {
    const customer = await createCustomer(admin)
    const client = await signInAsCustomer(service, customer)
    expect((await client.get('/api/customer/events')).status).toBe(200)
    await admin.patch(`${path}/${customer.id}`, change)
    expectProblem(await client.get('/api/customer/events'), 401, code)
    expect((await client.get('/api/customer/auth/session')).body).toEqual({ valid: false, customer: null })
  })

  test('a deactivation, which also blocks sign-in and revokes older sessions for good', async () => {
    const customer = await createCustomer(admin)
    const client = await signInAsCustomer(service, customer)
    await admin.patch(`${path}/${customer.id}`, { is_active: false })
    expectProblem(await signInCustomer(service, customer.email, customer.password), 401, 'INVALID_CREDENTIALS')
    await admin.patch(`${path}/${customer.id}`, { is_active: true })
    expectProblem(await client.get('/api/customer/events'), 401, 'TOKEN_REVOKED')
    expect((await signInCustomer(service, customer.email, customer.password)).status).toBe(200)
  })

  test('a deletion, after which the address is free again', async () => {
    const customer = await createCustomer(admin)
    const client = await signInAsCustomer(service, customer)
    expect((await admin.delete(`${path}/${customer.id}`)).body).toEqual({ id: customer.id, deleted: true })
    expectProblem(await client.get('/api/customer/events'), 401, 'INVALID_TOKEN')
    expect((await createCustomer(admin, { email: customer.email })).id).not.toBe(customer.id)
  })

  test('not a change of the name', async () => {
    const customer = await createCustomer(admin)
    const client = await signInAsCustomer(service, customer)
    await admin.patch(`${path}/${customer.id}`, { name: 'Renamed' })
    expect((await client.get('/api/customer/auth/session')).body.customer.name).toBe('Renamed')
  })
})

describe('assigning an event', () => {
  test('twice is allowed; the customer then contains it', async () => {
    const [customer, event] = [await createCustomer(admin), await createEvent(service.api)]
    for (let time = 0; time < 2; time++) {
      const { status, body } = await admin.put(assignmentPath(customer, event), {})
      expect(status).toBe(200)
      expect(body.events).toEqual([{ id: event.id, slug: event.slug, event_name: 'Ana & Ben' }])
    }
    expect((await admin.delete(assignmentPath(customer, event))).body.events).toEqual([])
    expect((await admin.delete(assignmentPath(customer, event))).status).toBe(200)
  })

  test('returns 404 for an unknown event or customer', async () => {
    const [customer, event] = [await createCustomer(admin), await createEvent(service.api)]
    expectProblem(await admin.put(assignmentPath(customer, { id: 999999 }), {}), 404, 'NOT_FOUND')
    expectProblem(await admin.put(assignmentPath({ id: 999999 }, event), {}), 404, 'NOT_FOUND')
  })

  test('is rejected for an archived event, but removing works', async () => {
    const [customer, other, event] = [
      await createCustomer(admin),
      await createCustomer(admin),
      await createEvent(service.api),
    ]
    await admin.put(assignmentPath(customer, event), {})
    await service.api.post(`/api/v1/events/${event.id}/archive`, {})
    expectProblem(await admin.put(assignmentPath(other, event), {}), 409, 'EVENT_ARCHIVED')
    expect((await admin.delete(assignmentPath(customer, event))).body.events).toEqual([])
  })
})

describe('whose customers an operator sees', () => {
  let owner: Account
  let stranger: Account
  beforeAll(async () => {
    owner = await createAccount(service, 'admin')
    stranger = await createAccount(service, 'editor')
  })

  test('those whom the operator created, newest first; a super_admin sees all', async () => {
    const [first, second] = [await createCustomer(owner.admin), await createCustomer(owner.admin)]
    const foreign = await createCustomer(stranger.admin)
    const own = await listIds(owner.admin)
    expect(own.slice(0, 2)).toEqual([second.id, first.id])
    expect(own).not.toContain(foreign.id)
    expect(await listIds(admin)).toEqual(expect.arrayContaining([first.id, second.id, foreign.id]))
  })

  test('in pages of the requested size, with the total', async () => {
    const { total } = (await owner.admin.get(path)).body.pagination
    const { body } = await owner.admin.get(`${path}?page=2&limit=1`)
    expect(body.customers).toHaveLength(1)
    expect(body.pagination).toEqual({ page: 2, limit: 1, total, pages: total })
  })

  test('not those of other operators: 404', async () => {
    const [customer, event] = [await createCustomer(owner.admin), await createEvent(stranger.api)]
    expectProblem(await stranger.admin.patch(`${path}/${customer.id}`, { name: 'Mine' }), 404, 'NOT_FOUND')
    expectProblem(await stranger.admin.delete(`${path}/${customer.id}`), 404, 'NOT_FOUND')
    expectProblem(await stranger.admin.put(assignmentPath(customer, event), {}), 404, 'NOT_FOUND')
  })

  test('and events of others cannot be assigned or removed', async () => {
    const [customer, event] = [await createCustomer(stranger.admin), await createEvent(owner.api)]
    expectProblem(await stranger.admin.put(assignmentPath(customer, event), {}), 403, 'FORBIDDEN')
    expectProblem(await stranger.admin.delete(assignmentPath(customer, event)), 403, 'FORBIDDEN')
  })

  test('also a customer assigned to an own event, with that event alone and read-only', async () => {
    const customer = await createCustomer(owner.admin)
    const [foreignEvent, ownEvent] = [await createEvent(stranger.api), await createEvent(owner.api)]
    await owner.admin.put(assignmentPath(customer, ownEvent), {})
    await admin.put(assignmentPath(customer, foreignEvent), {})
    expect(await listIds(stranger.admin)).toContain(customer.id)
    const { body } = await stranger.admin.put(assignmentPath(customer, foreignEvent), {})
    expect(body.events.map(({ id }: { id: number }) => id)).toEqual([foreignEvent.id])
    expectProblem(await stranger.admin.patch(`${path}/${customer.id}`, { password: 'lets me in' }), 403, 'FORBIDDEN')
    expectProblem(await stranger.admin.delete(`${path}/${customer.id}`), 403, 'FORBIDDEN')
    expect((await signInCustomer(service, customer.email, customer.password)).status).toBe(200)

    await stranger.admin.delete(assignmentPath(customer, foreignEvent))
    expect(await listIds(stranger.admin)).not.toContain(customer.id)
  })
})
