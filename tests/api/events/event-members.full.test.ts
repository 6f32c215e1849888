import { expect, test } from 'vitest'
import { openLiveStream } from '../../support/clients/live-events.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { createAccount } from '../../support/fixtures/accounts.ts'
import { createEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { deactivate } from '../../support/fixtures/people.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const path = ({ id }: { id: number }) => `/api/admin/events/${id}/members`
const setMembers = (client: TestClient, event: { id: number }, ids: number[]) =>
  client.put(path(event), { user_ids: ids })
const listIds = (people: Array<{ id: number }>) => people.map(({ id }) => id)

const owner = await createAccount(service, 'admin')
const member = await createAccount(service, 'editor')
const memberOf = ({ id, username }: typeof member, role = 'editor', is_active = true) => {
  return { id, username, role, is_active }
}

test('a member has the rights of an owner within its role, until it is removed', async () => {
  const event = await createEvent(owner.api, { is_draft: true })
  const read = () => member.api.get(`/api/v1/events/${event.id}`)
  const gallery = `/api/gallery/${event.slug}/photos`
  expectProblem(await read(), 403, 'FORBIDDEN')
  expect((await setMembers(owner.admin, event, [member.id])).status).toBe(200)
  expect((await member.api.get('/api/v1/events')).body.events).toMatchObject([{ id: event.id }])
  await uploadPhotos(member.api, event.id, 1)
  expect((await member.api.patch(`/api/v1/events/${event.id}`, { event_name: 'Ours' })).status).toBe(200)
  expect((await member.admin.get(gallery)).status).toBe(200)
  expectProblem(await member.api.delete(`/api/v1/events/${event.id}`), 403, 'FORBIDDEN')
  expect((await member.admin.get(path(event))).body).toEqual({
    owner: memberOf(owner, 'admin'),
    members: [memberOf(member)],
    candidates: [],
  })
  expectProblem(await setMembers(member.admin, event, []), 403, 'FORBIDDEN')

  const { ended } = await openLiveStream(service, event.id, { token: member.admin.token })
  expect((await setMembers(owner.admin, event, [])).body.members).toEqual([])
  expectProblem(await read(), 403, 'FORBIDDEN')
  expectProblem(await member.admin.get(gallery), 404, 'NOT_FOUND')
  expect((await member.api.get('/api/v1/events')).body.events).toEqual([])
  await ended
})

test('the owner and super_admins replace the list of members', async () => {
  const event = await createEvent(owner.api)
  const other = await createAccount(service, 'viewer')
  const listCandidates = async () => listIds((await owner.admin.get(path(event))).body.candidates)
  expect(await listCandidates()).toContain(member.id)
  expect(await listCandidates()).not.toContain(owner.id)
  expect((await setMembers(service.admin, event, [member.id])).status).toBe(200)
  expect(await listCandidates()).not.toContain(member.id)
  // A repeated id and the owner are allowed.
  const { body } = await setMembers(owner.admin, event, [other.id, other.id, owner.id])
  expect([listIds(body.members), body.owner.id]).toEqual([[other.id], owner.id])
  await owner.api.post(`/api/v1/events/${event.id}/archive`, {})
  expectProblem(await setMembers(owner.admin, event, [member.id]), 409, 'EVENT_ARCHIVED')
})

test('unknown and deactivated accounts are rejected, except a member that was deactivated later', async () => {
  const event = await createEvent(owner.api)
  const [gone, leaving] = [await createAccount(service, 'viewer'), await createAccount(service, 'viewer')]
  await deactivate(service.admin, gone)
  await setMembers(owner.admin, event, [member.id, leaving.id])
  for (const ids of [[999999], [gone.id], [member.id, gone.id]])
    expectInvalidField(await setMembers(owner.admin, event, ids), 'user_ids')
  expectInvalidField(await owner.admin.put(path(event), {}), 'user_ids')
  expectInvalidField(await owner.admin.put(path(event), { user_ids: ['1'] }), 'user_ids.0')
  await deactivate(service.admin, leaving)
  const { status, body } = await setMembers(owner.admin, event, [leaving.id, member.id])
  expect(status).toBe(200)
  expect(body.members).toHaveLength(2)
  expect(body.members).toContainEqual(memberOf(leaving, 'viewer', false))
})
