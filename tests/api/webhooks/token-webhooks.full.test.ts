import { describe, expect, test } from 'vitest'
import { expectProblem } from '../../support/clients/problems.ts'
import { createClient, type TestClient } from '../../support/clients/test-client.ts'
import { changeDatabase } from '../../support/database/service-database.ts'
import { createAccount, createApiToken } from '../../support/fixtures/accounts.ts'
import { createEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { answer, webhookReceiverForFile } from '../../support/webhooks/webhook-receiver.ts'

const receiver = await webhookReceiverForFile()
const service = await serviceForFile({ environment: { WEBHOOK_ALLOW_PRIVATE_URLS: 'true' } })
const { admin } = service
/** No server listens at this address. */
const fields = {
  name: 'Zapier',
  url: 'http://127.0.0.1:2/',
  events: ['event.created', 'event.deleted', 'photo.deleted'],
}

const subscribe = async (api: TestClient, body: object = {}, headers: Record<string, string> = {}) =>
  api.post('/api/v1/webhooks', { ...fields, ...body }, headers)

/** Returns the types of the deliveries and the ids of their events, oldest first. */
async function listSent(webhookId: number): Promise<string[]> {
  const path = `/api/admin/webhooks/${webhookId}/deliveries`
  const { deliveries } = (await admin.get(path)).body
  const details = await Promise.all(
    deliveries.map(async ({ id }: { id: number }) => (await admin.get(`${path}/${id}`)).body),
  )
  return details.map(({ event_type, payload }) => `${event_type} ${payload.data.event.id}`).reverse()
}

describe('a webhook of an API token', () => {
  test('gets only changes of events that its account owns or is a member of', { tags: 'database' }, async () => {
    const owner = await createAccount(service, 'admin')
    const stranger = await createAccount(service, 'admin')
    const { status, body } = await subscribe(owner.api)
    expect(status).toBe(201)
    expect(body).toMatchObject({ token_id: expect.any(Number), ended: false, secret: expect.any(String) })

    const own = await createEvent(owner.api)
    const others = await createEvent(stranger.api)
    const [photo] = await uploadPhotos(owner.api, own.id, 1)
    await owner.api.delete(`/api/v1/events/${own.id}/photos/${photo}`)
    await stranger.api.delete(`/api/v1/events/${others.id}`)
    await owner.api.delete(`/api/v1/events/${own.id}`)
    const shared = await createEvent(stranger.api)
    await stranger.admin.put(`/api/admin/events/${shared.id}/members`, { user_ids: [owner.id] })
    await stranger.api.delete(`/api/v1/events/${shared.id}`)
    expect(await listSent(body.id)).toEqual([
      `event.created ${own.id}`,
      `photo.deleted ${own.id}`,
      `event.deleted ${own.id}`,
      `event.deleted ${shared.id}`,
    ])
  })

  test.each<[string, (owner: Awaited<ReturnType<typeof createAccount>>, tokenId: number) => Promise<unknown>]>([
    ['is revoked', (owner, tokenId) => owner.admin.delete(`/api/admin/api-tokens/${tokenId}`)],
    [
      'expires',
      (_, tokenId) =>
        changeDatabase(service, (stored) => {
          stored.prepare('update api_tokens set expires_at = ? where id = ?').run(Date.now() - 1, tokenId)
        }),
    ],
    ['belongs to an account that is deactivated', ({ id }) => admin.post(`/api/admin/users/${id}/deactivate`, {})],
    [
      'belongs to an account whose role is reduced',
      ({ id }) => admin.patch(`/api/admin/users/${id}`, { role: 'viewer' }),
    ],
  ])('ends when its token %s', async (_, end) => {
    const owner = await createAccount(service, 'admin')
    const event = await createEvent(owner.api)
    const { body } = await subscribe(owner.api)
    await end(owner, body.token_id)
    await admin.delete(`/api/admin/events/${event.id}`)
    expect(await listSent(body.id)).toEqual([])
    const path = `/api/admin/webhooks/${body.id}`
    expect((await admin.get(path)).body).toMatchObject({ ended: true, active: true })
    // A delivery that is queued nevertheless is not sent.
    const { delivery_id } = (await admin.post(`${path}/test`, {})).body
    const readDelivery = async () => (await admin.get(`${path}/deliveries/${delivery_id}`)).body
    await expect.poll(async () => (await readDelivery()).status).toBe('failed')
    expect((await readDelivery()).last_error).toContain('API token')
  })

  test('is found by the tokens of its account, and by no other token; sessions find all', async () => {
    const owner = await createAccount(service, 'admin')
    const stranger = await createAccount(service, 'admin')
    const { id } = (await subscribe(owner.api)).body
    const second = createClient(service.url, await createApiToken(owner.admin, ['admin']))
    const ofInstance = (await admin.post('/api/admin/webhooks', fields)).body.id
    const list = async (client: TestClient, path: string) =>
      (await client.get(path)).body.map((webhook: { id: number }) => webhook.id)
    expect(await list(second, '/api/v1/webhooks')).toEqual([id])
    expect(await list(stranger.api, '/api/v1/webhooks')).toEqual([])
    expect(await list(admin, '/api/admin/webhooks')).toEqual(expect.arrayContaining([id, ofInstance]))

    for (const [client, hidden] of [
      [stranger.api, id],
      [owner.api, ofInstance],
    ] as const) {
      const path = `/api/v1/webhooks/${hidden}`
      expectProblem(await client.get(path), 404, 'NOT_FOUND')
      expectProblem(await client.put(path, { active: false }), 404, 'NOT_FOUND')
      expectProblem(await client.post(`${path}/test`, {}), 404, 'NOT_FOUND')
      expectProblem(await client.delete(path), 404, 'NOT_FOUND')
    }
    expect((await second.put(`/api/v1/webhooks/${id}`, { name: 'n8n' })).body).toMatchObject({ id, name: 'n8n' })
    expect((await second.post(`/api/v1/webhooks/${id}/test`, {})).body).toMatchObject({ event_type: 'event.created' })
    expect((await second.delete(`/api/v1/webhooks/${id}`)).body).toEqual({ id, deleted: true })
    expect(await list(owner.api, '/api/v1/webhooks')).toEqual([])
  })

  test('is made once with an Idempotency-Key, and has the same secret again', async () => {
    const { api } = await createAccount(service, 'admin')
    const headers = { 'idempotency-key': 'flow-7' }
    const first = await subscribe(api, {}, headers)
    const again = await subscribe(api, {}, headers)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect([again.status, again.body]).toEqual([201, first.body])
    expectProblem(await subscribe(api, { name: 'Other' }, headers), 422, 'IDEMPOTENCY_KEY_REUSED')
    expect((await api.get('/api/v1/webhooks')).body).toHaveLength(1)
  })

  test('is one of at most 100 of its account', async () => {
    const owner = await createAccount(service, 'admin')
    const { token_id } = (await subscribe(owner.api)).body
    await changeDatabase(service, (stored) => {
      const columns =
        'name, url, events, active, filter, secret, secret_preview, consecutive_failures, created_at, updated_at'
      const copy = stored.prepare(`insert into webhooks (${columns}, token_id)
        select ${columns}, token_id from webhooks where token_id = ? limit 1`)
      for (let count = 1; count < 100; count++) copy.run(token_id)
    })
    expectProblem(await subscribe(owner.api), 409, 'WEBHOOK_LIMIT_REACHED')
    const [{ id }] = (await owner.api.get('/api/v1/webhooks')).body
    await owner.api.delete(`/api/v1/webhooks/${id}`)
    expect((await subscribe(owner.api)).status).toBe(201)
  })
})

describe('a delivery that waits for its next attempt', () => {
  type Account = Awaited<ReturnType<typeof createAccount>>
  const lacksOwner = { status: 'failed', next_retry_at: null, last_error: expect.stringContaining('no longer owns') }

  /** Makes one attempt to tell a webhook of `account` about an event of `owner` fail. The receiver works again after it. */
  async function failedDelivery(owner: Account, account: Account, { isMember = owner !== account } = {}) {
    const path = `/hook-${account.id}`
    const received = () => receiver.received.filter((one) => one.path === path)
    const { id: eventId } = await createEvent(owner.api)
    const members = `/api/admin/events/${eventId}/members`
    if (isMember) await owner.admin.put(members, { user_ids: [account.id] })
    const body = { url: receiver.origin + path, events: ['event.updated', 'event.deleted'] }
    const webhook = (await subscribe(account.api, body)).body
    receiver.trust(webhook.secret)
    receiver.respond = answer(500)
    await owner.admin.put(`/api/admin/events/${eventId}`, { customer_email: 'ana@example.com' })
    const deliveries = `/api/admin/webhooks/${webhook.id}/deliveries`
    const [{ id }] = (await admin.get(deliveries)).body.deliveries
    const read = async (client: TestClient = admin) => (await client.get(`${deliveries}/${id}`)).body
    await expect.poll(async () => (await read()).last_error).toContain('500')
    receiver.respond = answer(204)
    return { owner, account, eventId, members, deliveries, id, received, read }
  }
  type Failed = Awaited<ReturnType<typeof failedDelivery>>

  const makeDue = (id: number) =>
    changeDatabase(service, (stored) => {
      stored.prepare('update webhook_deliveries set next_attempt_at = 1 where id = ?').run(id)
    })
  /** Any change wakes the deliveries. */
  const wake = (deliveries: string) => admin.put(deliveries.replace('/deliveries', ''), { name: 'Woken' })

  const losses: Record<string, (failed: Failed) => Promise<unknown>> = {
    'is no longer a member': ({ owner, members }) => owner.admin.put(members, { user_ids: [] }),
    'is no longer a super admin': ({ account }) => admin.patch(`/api/admin/users/${account.id}`, { role: 'admin' }),
    'has handed over the event, also if it is active again': async ({ account }) => {
      const { id } = await createAccount(service, 'admin')
      await admin.post(`/api/admin/users/${account.id}/deactivate`, {})
      await admin.post(`/api/admin/users/${account.id}/hand-over`, { to_user_id: id })
      await admin.patch(`/api/admin/users/${account.id}`, { is_active: true })
    },
  }
  test.each(Object.keys(losses))('fails at once when its account %s', async (loss) => {
    const account = await createAccount(service, loss.includes('super admin') ? 'super_admin' : 'admin')
    const owner = loss.includes('handed over') ? account : await createAccount(service, 'admin')
    const failed = await failedDelivery(owner, account, { isMember: loss.includes('member') })
    await losses[loss]?.(failed)
    expect(await failed.read()).toMatchObject(lacksOwner)
    // The deletion of the event takes nothing back.
    await admin.delete(`/api/admin/events/${failed.eventId}`)
    await wake(failed.deliveries)
    expect(await failed.read()).toMatchObject(lacksOwner)
    expect(failed.received()).toHaveLength(1)
  })

  test('is not sent when its account does not own the event at that time, and neither is a replay', async () => {
    const failed = await failedDelivery(await createAccount(service, 'admin'), await createAccount(service, 'admin'))
    await changeDatabase(service, (stored) => {
      stored.prepare('delete from event_members where event_id = ?').run(failed.eventId)
    })
    await makeDue(failed.id)
    await wake(failed.deliveries)
    await expect.poll(() => failed.read()).toMatchObject(lacksOwner)
    const { replay_id } = (await admin.post(`${failed.deliveries}/${failed.id}/replay`, {})).body
    const readReplay = async () => (await admin.get(`${failed.deliveries}/${replay_id}`)).body
    await expect.poll(readReplay).toMatchObject({ ...lacksOwner, attempt_count: 0 })
    expect(failed.received()).toHaveLength(1)
  })

  test('is read by owners of its event only', async () => {
    const failed = await failedDelivery(await createAccount(service, 'admin'), await createAccount(service, 'admin'))
    expect((await failed.read(failed.account.admin)).request_body).toContain('ana@example.com')
    await failed.owner.admin.put(failed.members, { user_ids: [] })
    const withheld = { payload: '', request_body: '', response_body: null, ...lacksOwner }
    expect(await failed.read(failed.account.admin)).toMatchObject(withheld)
    expect((await failed.read(failed.owner.admin)).request_body).toContain('ana@example.com')
    expect((await failed.read(admin)).request_body).toContain('ana@example.com')
    await admin.delete(`/api/admin/events/${failed.eventId}`)
    expect(await failed.read(failed.account.admin)).toMatchObject(withheld)
  })

  test('is sent to a former owner of an event that is deleted', async () => {
    const owner = await createAccount(service, 'admin')
    const failed = await failedDelivery(owner, owner)
    await owner.admin.delete(`/api/admin/events/${failed.eventId}`)
    await makeDue(failed.id)
    await wake(failed.deliveries)
    await expect
      .poll(() =>
        failed
          .received()
          .map(({ type }) => type)
          .sort(),
      )
      .toEqual(['event.deleted', 'event.updated', 'event.updated'])
  })
})
