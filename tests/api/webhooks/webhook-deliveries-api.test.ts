import { beforeEach, describe, expect, test } from 'vitest'
import type { DeliveryRecord, DeliverySummary } from '../../../contract/webhooks.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { answer, neverRespond, webhookReceiverForFile } from '../../support/webhooks/webhook-receiver.ts'
import { createTestWebhook } from '../../support/webhooks/webhooks.ts'

const receiver = await webhookReceiverForFile()
const service = await serviceForFile({ environment: { WEBHOOK_ALLOW_PRIVATE_URLS: 'true' } })
const { admin, api } = service
const path = (id: number, rest = '') => `/api/admin/webhooks/${id}${rest}`

beforeEach(() => {
  receiver.respond = answer(204)
})

let webhooks = 0

/** Creates a webhook with its own path. By default, these tests cause none of its event types. */
async function createWebhook(body: Parameters<typeof createTestWebhook>[1] = {}) {
  const url = `${receiver.origin}/hook-${++webhooks}`
  const { id, secret } = await createTestWebhook(service, {
    url,
    events: ['selection.submitted', 'event.expired'],
    ...body,
  })
  receiver.trust(secret)
  const received = () => receiver.received.filter((one) => one.path === new URL(url).pathname)
  return { id, received }
}

const deliveries = async (id: number, query = ''): Promise<DeliverySummary[]> =>
  (await admin.get(path(id, `/deliveries${query}`))).body.deliveries

const loadDelivery = async (id: number, deliveryId: number): Promise<DeliveryRecord> =>
  (await admin.get(path(id, `/deliveries/${deliveryId}`))).body

const loadStatusOf = (id: number, deliveryId: number) => async () => (await loadDelivery(id, deliveryId)).status
const hasFailed = (id: number, deliveryId: number) => async () =>
  (await loadDelivery(id, deliveryId)).last_error !== null

async function queueTestDelivery(id: number, body: object = {}): Promise<number> {
  const queued = await admin.post(path(id, '/test'), body)
  expect(queued.status).toBe(202)
  return queued.body.delivery_id
}

const listQueuedIds = (id: number) =>
  readDatabase(service, (stored) =>
    stored.prepare('select id from webhook_deliveries where webhook_id = ? order by id').pluck().all(id),
  )

/** Inserts deliveries of every state into the database. None of them is due. */
async function insertHistory(id: number, count: number): Promise<number[]> {
  const columns = 'webhook_id, event_type, envelope_id, envelope, status, next_attempt_at, created_at'
  const states = ['success', 'failed', 'pending']
  return changeDatabase(service, (stored) => {
    const insert = stored.prepare(
      `insert into webhook_deliveries (${columns}) values (?, 'event.created', 'a', '{}', ?, ?, ?)`,
    )
    return Array.from({ length: count }, (_, index) => {
      const status = states[index % states.length]
      return Number(insert.run(id, status, status === 'pending' ? 1e14 : null, Date.now()).lastInsertRowid)
    })
  })
}

describe('POST /api/admin/webhooks/{webhook_id}/test', () => {
  test('sends a sample of the first type that the webhook subscribes to', async () => {
    const { id, received } = await createWebhook()
    const { status, body } = await admin.call('POST', path(id, '/test'))
    expect([status, body]).toEqual([
      202,
      { enqueued: true, event_type: 'selection.submitted', delivery_id: expect.any(Number) },
    ])
    await expect.poll(loadStatusOf(id, body.delivery_id)).toBe('success')
    expect(received()).toMatchObject([
      { type: 'selection.submitted', sequence: body.delivery_id, json: { type: 'selection.submitted', test: true } },
    ])
  })

  test('sends the requested type, whatever the webhook subscribes to and filters', async () => {
    const { id, received } = await createWebhook({
      filter: { 'data.event.slug': 'no such event' },
      template: '${type}!',
    })
    const queued = await queueTestDelivery(id, { event_type: 'photo.uploaded' })
    await expect.poll(loadStatusOf(id, queued)).toBe('success')
    const headers = { 'content-type': 'text/plain; charset=utf-8' }
    expect(received()).toMatchObject([{ type: 'photo.uploaded', body: 'photo.uploaded!', headers }])
    expect(await loadDelivery(id, queued)).toMatchObject({
      payload: 'photo.uploaded!',
      request_body: 'photo.uploaded!',
    })
  })

  test('rejects an unknown type and an inactive or unknown webhook, and queues nothing', async () => {
    const { id } = await createWebhook()
    for (const event_type of ['photo.viewed', '', 7]) {
      expectInvalidField(await admin.post(path(id, '/test'), { event_type }), 'event_type')
    }
    await admin.put(path(id), { active: false })
    expectProblem(await admin.post(path(id, '/test'), {}), 400, 'WEBHOOK_INACTIVE')
    expectProblem(await admin.post(path(999_999, '/test'), {}), 404, 'NOT_FOUND')
    expect(listQueuedIds(id)).toEqual([])
  })
})

describe('GET /api/admin/webhooks/{webhook_id}/deliveries', () => {
  test('returns pages of 25, newest first, and filters by status', async () => {
    const { id } = await createWebhook()
    const other = await createWebhook()
    const ids = await insertHistory(id, 30)
    await insertHistory(other.id, 3)
    const newest = ids.toReversed()
    const { status, body } = await admin.get(path(id, '/deliveries'))
    expect([status, body.pagination]).toEqual([200, { page: 1, limit: 25, total: 30, pages: 2 }])
    const listIds = async (query: string) => (await deliveries(id, query)).map((row) => row.id)
    expect(await listIds('')).toEqual(newest.slice(0, 25))
    expect(await listIds('?page=2')).toEqual(newest.slice(25))
    expect(await listIds('?limit=100')).toEqual(newest)
    expect(await listIds('?page=3')).toEqual([])
    for (const [index, state] of ['success', 'failed', 'pending'].entries()) {
      const filtered = (await admin.get(path(id, `/deliveries?status=${state}&limit=4`))).body
      const all = ids.filter((_, place) => place % 3 === index).toReversed()
      expect(filtered.deliveries).toMatchObject(all.slice(0, 4).map((one) => ({ id: one, status: state })))
      expect(filtered.pagination).toEqual({ page: 1, limit: 4, total: 10, pages: 3 })
    }
    for (const query of ['limit=0', 'limit=101', 'page=0', 'page=two', 'status=queued']) {
      expectInvalidField(await admin.get(path(id, `/deliveries?${query}`)), query.split('=')[0] ?? '')
    }
    expectProblem(await admin.get(path(999_999, '/deliveries')), 404, 'NOT_FOUND')
  })
})

describe('GET /api/admin/webhooks/{webhook_id}/deliveries/{delivery_id}', () => {
  test('returns the exact body and headers that were sent, and the response', async () => {
    const { id, received } = await createWebhook({ events: ['event.created'] })
    receiver.respond = answer(200, {}, 'ä'.repeat(2000))
    const event = await createEvent(api, { event_name: 'Zoë & Ümit' })
    const [{ id: deliveryId } = { id: 0 }] = await deliveries(id)
    await expect.poll(loadStatusOf(id, deliveryId)).toBe('success')
    const [got] = received()
    const { payload, request_body, request_headers, ...rest } = await loadDelivery(id, deliveryId)
    expect(request_body).toBe(got?.body)
    expect(payload).toEqual(got?.json)
    expect(payload).toMatchObject({
      type: 'event.created',
      data: { event: { id: event.id, event_name: 'Zoë & Ümit' } },
    })
    const shown = Object.fromEntries(
      Object.entries(request_headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    )
    expect(got?.headers).toMatchObject(shown)
    for (const name of ['x-service-signature', 'x-service-event', 'x-service-sequence', 'webhook-signature']) {
      expect(shown).toHaveProperty(name)
    }
    // The list has the state without the sent body.
    const summary = {
      id: deliveryId,
      event_type: 'event.created',
      status: 'success',
      attempt_count: 1,
      response_status: 200,
      latency_ms: expect.any(Number),
      next_retry_at: null,
      last_error: null,
      created_at: expect.stringMatching(/Z$/),
      completed_at: expect.stringMatching(/Z$/),
      replayed_from: null,
    }
    expect(await deliveries(id)).toEqual([summary])
    expect(rest).toEqual({ ...summary, webhook_id: id, envelope_id: got?.id, response_body: 'ä'.repeat(512) })
    const other = await createWebhook()
    expectProblem(await admin.get(path(other.id, `/deliveries/${deliveryId}`)), 404, 'NOT_FOUND')
    expectProblem(await admin.get(path(id, '/deliveries/999999')), 404, 'NOT_FOUND')
    expectProblem(await admin.post(path(other.id, `/deliveries/${deliveryId}/replay`), {}), 404, 'NOT_FOUND')
  })

  test('returns no time of a retry while the first attempt runs', async () => {
    const { id, received } = await createWebhook()
    let release = () => {}
    receiver.respond = (response, got) => {
      release = () => answer(204)(response, got)
    }
    const held = await queueTestDelivery(id)
    await expect.poll(() => received().length).toBe(1)
    expect(await loadDelivery(id, held)).toMatchObject({ status: 'pending', next_retry_at: null, last_error: null })
    release()
    await expect.poll(loadStatusOf(id, held)).toBe('success')
  })
})

describe('POST /api/admin/webhooks/{webhook_id}/deliveries/{delivery_id}/replay', () => {
  const replay = (id: number, deliveryId: number) => admin.call('POST', path(id, `/deliveries/${deliveryId}/replay`))

  test('sends the stored envelope under a new id, and keeps the original', async () => {
    const { id, received } = await createWebhook()
    const queued = await queueTestDelivery(id)
    await expect.poll(loadStatusOf(id, queued)).toBe('success')
    const original = await loadDelivery(id, queued)
    const { status, body } = await replay(id, queued)
    expect([status, body]).toEqual([202, { enqueued: true, original_id: queued, replay_id: expect.any(Number) }])
    await expect.poll(loadStatusOf(id, body.replay_id)).toBe('success')
    const [first, second] = received()
    expect(second?.id).not.toBe(first?.id)
    expect(second?.json).toEqual({ ...first?.json, id: second?.id, replayed_from: queued })
    expect(await loadDelivery(id, body.replay_id)).toMatchObject({ replayed_from: queued, envelope_id: second?.id })
    expect(await loadDelivery(id, queued)).toEqual(original)
  })

  test('uses the current template and address, and ignores the filter', async () => {
    const { id, received } = await createWebhook({ filter: { type: 'event.created' } })
    const queued = await queueTestDelivery(id)
    await expect.poll(loadStatusOf(id, queued)).toBe('success')
    const moved = await createWebhook()
    const url = (await admin.get(path(moved.id))).body.url
    await admin.put(path(id), { url, template: '{"of": "${replayed_from}", "id": "${id}"}' })
    const { body } = await replay(id, queued)
    await expect.poll(loadStatusOf(id, body.replay_id)).toBe('success')
    expect(received()).toHaveLength(1)
    const [again] = moved.received()
    expect(again?.json).toEqual({ of: `${queued}`, id: again?.id })
  })

  test('accepts a delivery in any state, also a replay', async () => {
    const { id } = await createWebhook()
    receiver.respond = answer(410)
    const failed = await queueTestDelivery(id)
    await expect.poll(loadStatusOf(id, failed)).toBe('failed')
    receiver.respond = answer(500)
    const pending = await queueTestDelivery(id)
    await expect.poll(hasFailed(id, pending)).toBe(true)
    receiver.respond = answer(204)
    let last = pending
    for (const original of [pending, failed, undefined]) {
      const original_id = original ?? last
      const { body } = await replay(id, original_id)
      last = body.replay_id
      await expect.poll(loadStatusOf(id, last)).toBe('success')
      const from = { replayed_from: original_id }
      expect(await loadDelivery(id, last)).toMatchObject({ ...from, payload: from })
    }
    expect(await loadDelivery(id, failed)).toMatchObject({ status: 'failed', replayed_from: null })
  })

  test('rejects an inactive webhook and an unknown delivery', async () => {
    const { id } = await createWebhook()
    const queued = await queueTestDelivery(id)
    expectProblem(await replay(id, 999_999), 404, 'NOT_FOUND')
    await admin.put(path(id), { active: false })
    expectProblem(await replay(id, queued), 400, 'WEBHOOK_INACTIVE')
    expect(listQueuedIds(id)).toEqual([queued])
  })
})

test('deleting a webhook deletes all of its deliveries, and no others', async () => {
  const [gone, stays] = [await createWebhook(), await createWebhook()]
  const kept = await queueTestDelivery(stays.id)
  const past = await queueTestDelivery(gone.id)
  await expect.poll(loadStatusOf(gone.id, past)).toBe('success')
  receiver.respond = neverRespond
  const waiting = await queueTestDelivery(gone.id)
  await expect.poll(() => gone.received().length).toBe(2)
  expect(listQueuedIds(gone.id)).toEqual([past, waiting])
  // More rows than one statement deletes.
  await insertHistory(gone.id, 1500)
  expect((await admin.delete(path(gone.id))).body).toEqual({ id: gone.id, deleted: true })
  expect(listQueuedIds(gone.id)).toEqual([])
  expectProblem(await admin.get(path(gone.id, `/deliveries/${waiting}`)), 404, 'NOT_FOUND')
  expect(listQueuedIds(stays.id)).toEqual([kept])
})
