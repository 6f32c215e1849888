import { beforeAll, describe, expect, test } from 'vitest'
import { openLiveStream } from '../../support/clients/live-events.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { type Account, createAccount } from '../../support/fixtures/accounts.ts'
import { createEvent, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { deactivate } from '../../support/fixtures/people.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const path = ({ id }: { id: number }) => `/api/admin/events/${id}/members`
const setMembers = (client: TestClient, event: { id: number }, ids: number[]) =>
  client.put(path(event), { user_ids: ids })
const getIds = (people: Array<{ id: number }>) => people.map(({ id }) => id)

let owner: Account
let member: Account
let event: TestEvent
beforeAll(async () => {
  owner = await createAccount(service, 'admin')
  member = await createAccount(service, 'editor')
})

describe('a member', () => {
  beforeAll(async () => {
    event = await createEvent(owner.api, { is_draft: true })
    expectProblem(await member.api.get(`/api/v1/events/${event.id}`), 403, 'FORBIDDEN')
    expect((await setMembers(owner.admin, event, [member.id])).status).toBe(200)
  })

  test('has the rights of an owner, within the limits of the role', async () => {
    expect((await member.api.get('/api/v1/events')).body.events).toMatchObject([{ id: event.id }])
    await uploadPhotos(member.api, event.id, 1)
    expect((await member.api.patch(`/api/v1/events/${event.id}`, { event_name: 'Ours' })).status).toBe(200)
    expect((await member.admin.get(`/api/gallery/${event.slug}/photos`)).status).toBe(200)
    expectProblem(await member.api.delete(`/api/v1/events/${event.id}`), 403, 'FORBIDDEN')
  })

  test('sees the other members, but cannot change the list', async () => {
    const { body } = await member.admin.get(path(event))
    expect(body).toEqual({
      owner: { id: owner.id, username: owner.username, role: 'admin', is_active: true },
      members: [{ id: member.id, username: member.username, role: 'editor', is_active: true }],
      candidates: [],
    })
    expectProblem(await setMembers(member.admin, event, []), 403, 'FORBIDDEN')
  })

  test('who is removed loses access with the next request, and open streams end', async () => {
    const gallery = `/api/gallery/${event.slug}/photos`
    expect((await member.admin.get(gallery)).status).toBe(200)
    const { ended } = await openLiveStream(service, event.id, { token: member.admin.token })
    expect((await setMembers(owner.admin, event, [])).body.members).toEqual([])
    expectProblem(await member.api.get(`/api/v1/events/${event.id}`), 403, 'FORBIDDEN')
    expectProblem(await member.admin.get(gallery), 404, 'NOT_FOUND')
    expect((await member.api.get('/api/v1/events')).body.events).toEqual([])
    await ended
  })
})

describe('choosing members', () => {
  beforeAll(async () => {
    event = await createEvent(owner.api)
  })

  test('requires the owner or a super_admin', async () => {
    const stranger = await createAccount(service, 'admin')
    expectProblem(await setMembers(stranger.admin, event, [stranger.id]), 403, 'FORBIDDEN')
    expectProblem(await stranger.admin.get(path(event)), 403, 'FORBIDDEN')
    expect((await setMembers(service.admin, event, [member.id])).status).toBe(200)
    expect((await setMembers(owner.admin, event, [])).status).toBe(200)
  })

  test('returns candidates', async () => {
    const { body } = await owner.admin.get(path(event))
    expect(getIds(body.candidates)).toContain(member.id)
    expect(getIds(body.candidates)).not.toContain(owner.id)
    await setMembers(owner.admin, event, [member.id])
    expect(getIds((await owner.admin.get(path(event))).body.candidates)).not.toContain(member.id)
  })

  test('replaces the list; a repeated id and the owner are allowed', async () => {
    const other = await createAccount(service, 'viewer')
    const { body } = await setMembers(owner.admin, event, [other.id, other.id, owner.id])
    expect(getIds(body.members)).toEqual([other.id])
    expect(body.owner.id).toBe(owner.id)
  })

  test('rejects unknown or deactivated accounts, and then changes nothing', async () => {
    const deactivatedAccount = await createAccount(service, 'viewer')
    await deactivate(service.admin, deactivatedAccount)
    await setMembers(owner.admin, event, [member.id])
    for (const ids of [[999999], [deactivatedAccount.id], [member.id, deactivatedAccount.id]]) {
      expectInvalidField(await setMembers(owner.admin, event, ids), 'user_ids')
    }
    expectInvalidField(await owner.admin.put(path(event), {}), 'user_ids')
    expectInvalidField(await owner.admin.put(path(event), { user_ids: ['1'] }), 'user_ids.0')
    expect(getIds((await owner.admin.get(path(event))).body.members)).toEqual([member.id])
  })

  test('keeps a member who was deactivated later', async () => {
    const deactivatedMember = await createAccount(service, 'viewer')
    await setMembers(owner.admin, event, [deactivatedMember.id])
    await deactivate(service.admin, deactivatedMember)
    const { status, body } = await setMembers(owner.admin, event, [deactivatedMember.id, member.id])
    expect(status).toBe(200)
    expect(body.members).toContainEqual({
      id: deactivatedMember.id,
      username: deactivatedMember.username,
      role: 'viewer',
      is_active: false,
    })
  })

  test('is 409 in an archived event, 404 in none', async () => {
    const archived = await createEvent(owner.api)
    await owner.api.post(`/api/v1/events/${archived.id}/archive`, {})
    expectProblem(await setMembers(owner.admin, archived, [member.id]), 409, 'EVENT_ARCHIVED')
    expectProblem(await setMembers(owner.admin, { id: 999999 }, []), 404, 'NOT_FOUND')
  })
})
