import { expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { type Account, createAccount } from '../../support/fixtures/accounts.ts'
import { createCustomer } from '../../support/fixtures/customers.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { deactivate, userPath } from '../../support/fixtures/people.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin } = service

const transferOwnership = (from: { id: number }, to: { id: number }) =>
  admin.post(userPath(from, 'hand-over'), { to_user_id: to.id })
const listEventIds = async ({ api }: Pick<Account, 'api'>): Promise<number[]> =>
  (await api.get('/api/v1/events')).body.events.map(({ id }: { id: number }) => id)
const setMembers = (client: TestClient, event: { id: number }, ids: number[]) =>
  client.put(`/api/admin/events/${event.id}/members`, { user_ids: ids })

test('the events of a deactivated account move to another one for good', async () => {
  const [from, to] = [await createAccount(service, 'admin'), await createAccount(service, 'editor')]
  const member = await createAccount(service, 'viewer')
  const [live, archived] = [await createEvent(from.api), await createEvent(from.api)]
  const foreign = await createEvent(service.api)
  await from.api.post(`/api/v1/events/${archived.id}/archive`, {})
  await setMembers(from.admin, live, [to.id, member.id])
  await setMembers(admin, foreign, [from.id])
  const customer = `/api/admin/customers/${(await createCustomer(from.admin)).id}`
  expectProblem(await to.admin.patch(customer, { name: 'Mine' }), 404, 'NOT_FOUND')
  expectProblem(await transferOwnership(from, to), 409, 'INVALID_STATE')
  await deactivate(admin, from)

  const { status, body } = await transferOwnership(from, to)
  expect([status, body]).toEqual([200, { id: from.id, to_user_id: to.id, events: 2, customers: 1 }])
  expect(await listEventIds(to)).toEqual([archived.id, live.id])
  expect((await to.admin.get(`/api/gallery/${live.slug}/photos`)).status).toBe(200)
  expect((await to.api.get(`/api/v1/events/${live.id}`)).body.created_by).toBe(to.id)
  expect((await to.admin.patch(customer, { name: 'Mine' })).status).toBe(200)
  expectProblem(await to.api.get(`/api/v1/events/${foreign.id}`), 403, 'FORBIDDEN')
  // The members stay, without the new owner.
  const { owner, members } = (await to.admin.get(`/api/admin/events/${live.id}/members`)).body
  expect([owner.id, members.map(({ id }: { id: number }) => id)]).toEqual([to.id, [member.id]])
  expect((await transferOwnership(from, to)).body).toMatchObject({ events: 0, customers: 0 })
  await admin.patch(userPath(from), { is_active: true })
  expectProblem(await from.api.get(`/api/v1/events/${live.id}`), 403, 'FORBIDDEN')
})

test('a transfer to an unknown or deactivated account is rejected', async () => {
  const [from, gone] = [await createAccount(service, 'admin'), await createAccount(service, 'admin')]
  const event = await createEvent(from.api)
  await deactivate(admin, from)
  await deactivate(admin, gone)
  for (const to of [gone, from, { id: 999999 }]) expectInvalidField(await transferOwnership(from, to), 'to_user_id')
  expectInvalidField(await admin.post(userPath(from, 'hand-over'), {}), 'to_user_id')
  expect((await admin.get(`/api/admin/events/${event.id}`)).body.created_by).toBe(from.id)
})
