import { describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { type Account, createAccount } from '../../support/fixtures/accounts.ts'
import { createCustomer } from '../../support/fixtures/customers.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { deactivate, userPath } from '../../support/fixtures/people.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
const { admin } = service

const transferOwnership = (from: { id: number }, to: { id: number }) =>
  admin.post(userPath(from, 'hand-over'), { to_user_id: to.id })
const listEventIds = async ({ api }: Pick<Account, 'api'>): Promise<number[]> =>
  (await api.get('/api/v1/events')).body.events.map(({ id }: { id: number }) => id)
const setMembers = (client: TestClient, event: { id: number }, ids: number[]) =>
  client.put(`/api/admin/events/${event.id}/members`, { user_ids: ids })

describe('the events of a deactivated account', () => {
  test('move to another account, which owns them from the next request on', async () => {
    const [from, to] = [await createAccount(service, 'admin'), await createAccount(service, 'editor')]
    const [live, archived] = [await createEvent(from.api), await createEvent(from.api)]
    await from.api.post(`/api/v1/events/${archived.id}/archive`, {})
    await deactivate(admin, from)
    const gallery = `/api/gallery/${live.slug}/photos`
    expectProblem(await to.admin.get(gallery), 403, 'FORBIDDEN')

    const { status, body } = await transferOwnership(from, to)
    expect([status, body]).toEqual([200, { id: from.id, to_user_id: to.id, events: 2, customers: 0 }])
    expect(await listEventIds(to)).toEqual([archived.id, live.id])
    expect((await to.admin.get(gallery)).status).toBe(200)
    expect((await to.api.get(`/api/v1/events/${live.id}`)).body.created_by).toBe(to.id)
    expect((await transferOwnership(from, to)).body).toMatchObject({ events: 0, customers: 0 })
  })

  test('stay there when it is activated again', async () => {
    const [from, to] = [await createAccount(service, 'admin'), await createAccount(service, 'admin')]
    const event = await createEvent(from.api)
    await deactivate(admin, from)
    await transferOwnership(from, to)
    await admin.patch(userPath(from), { is_active: true })
    expectProblem(await from.api.get(`/api/v1/events/${event.id}`), 403, 'FORBIDDEN')
  })

  test('keep their members, and the new owner needs no membership', async () => {
    const [from, to, member] = [
      await createAccount(service, 'admin'),
      await createAccount(service, 'admin'),
      await createAccount(service, 'viewer'),
    ]
    const event = await createEvent(from.api)
    await setMembers(from.admin, event, [to.id, member.id])
    await deactivate(admin, from)
    await transferOwnership(from, to)
    const { body } = await to.admin.get(`/api/admin/events/${event.id}/members`)
    expect(body.owner.id).toBe(to.id)
    expect(body.members.map(({ id }: { id: number }) => id)).toEqual([member.id])
    expect(await listEventIds(member)).toContain(event.id)
  })

  test('move without its memberships in events of others', async () => {
    const [from, to, owner] = [
      await createAccount(service, 'admin'),
      await createAccount(service, 'admin'),
      await createAccount(service, 'admin'),
    ]
    const event = await createEvent(owner.api)
    await setMembers(owner.admin, event, [from.id])
    await deactivate(admin, from)
    await transferOwnership(from, to)
    expectProblem(await to.api.get(`/api/v1/events/${event.id}`), 403, 'FORBIDDEN')
  })

  test('move with the customers that it created', async () => {
    const [from, to] = [await createAccount(service, 'admin'), await createAccount(service, 'admin')]
    const customer = await createCustomer(from.admin)
    const path = `/api/admin/customers/${customer.id}`
    expectProblem(await to.admin.patch(path, { name: 'Mine' }), 404, 'NOT_FOUND')
    await deactivate(admin, from)
    expect((await transferOwnership(from, to)).body.customers).toBe(1)
    expect((await to.admin.patch(path, { name: 'Mine' })).status).toBe(200)
  })
})

describe('a transfer is rejected', () => {
  test('409 while the account is active', async () => {
    const [from, to] = [await createAccount(service, 'admin'), await createAccount(service, 'admin')]
    const event = await createEvent(from.api)
    expectProblem(await transferOwnership(from, to), 409, 'INVALID_STATE')
    expect(await listEventIds(from)).toEqual([event.id])
  })

  test('400 to an unknown or deactivated account, itself included', async () => {
    const [from, gone] = [await createAccount(service, 'admin'), await createAccount(service, 'admin')]
    const event = await createEvent(from.api)
    await deactivate(admin, from)
    await deactivate(admin, gone)
    for (const to of [gone, from, { id: 999999 }]) expectInvalidField(await transferOwnership(from, to), 'to_user_id')
    expectInvalidField(await admin.post(userPath(from, 'hand-over'), {}), 'to_user_id')
    expect((await admin.get(`/api/admin/events/${event.id}`)).body.created_by).toBe(from.id)
  })

  test('404 from an unknown account', async () => {
    expectProblem(await transferOwnership({ id: 999999 }, await createAccount(service, 'admin')), 404, 'NOT_FOUND')
  })
})
