import { describe, expect, test } from 'vitest'
import type { DeliveryRow } from '../../../server/webhooks/delivery-rows.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { reservePort } from '../../support/run/reserved-port.ts'
import { temporaryFolder } from '../../support/run/temporary-folder.ts'
import { isOnPostgres } from '../../support/service/back-ends.ts'
import {
  createMovableClock,
  serviceForFile,
  serviceForTest,
  type TestService,
} from '../../support/service/test-service.ts'
import {
  answer,
  neverRespond,
  type Respond,
  respondInOrder,
  verifyDelivery,
  webhookReceiverForTest,
} from '../../support/webhooks/webhook-receiver.ts'
import { createTestWebhook, type TestWebhook } from '../../support/webhooks/webhooks.ts'

const minute = 60_000
const hour = 60 * minute

const loopbackAllowed = { WEBHOOK_ALLOW_PRIVATE_URLS: 'true' }
const clock = createMovableClock()
const service = await serviceForFile({
  environment: { ...loopbackAllowed, WEBHOOK_HEADER_ALIAS: 'Acme' },
  edges: { clock },
})

type ReceiverOptions = { of?: TestService; at?: { now: () => number } } & Parameters<typeof createTestWebhook>[1]

/** Starts a receiver with a webhook. By default, operations of other tests do not notify the webhook. */
async function createReceiver(
  respond: Respond = answer(204),
  { of = service, at = of === service ? clock : Date, ...subscription }: ReceiverOptions = {},
) {
  const receiver = await webhookReceiverForTest({ respond, clock: at })
  const webhook = await createTestWebhook(of, { url: receiver.url, events: ['photo.deleted'], ...subscription })
  receiver.trust(webhook.secret)
  return { receiver, webhook }
}

async function send(webhook: TestWebhook, { admin } = service): Promise<number> {
  const { status, body } = await admin.post(`/api/admin/webhooks/${webhook.id}/test`, {})
  if (status !== 202) throw new Error(`The test was not queued: ${JSON.stringify(body)}`)
  return body.delivery_id
}

const findRow = (id: number, of = service): DeliveryRow =>
  readDatabase(of, (stored) => stored.prepare('select * from webhook_deliveries where id = ?').get(id) as DeliveryRow)

const expectRow = (id: number, expected: Partial<Record<keyof DeliveryRow, unknown>>, of = service) =>
  expect.poll(() => findRow(id, of), { interval: 10 }).toMatchObject(expected)

const loadWebhook = async (webhook: TestWebhook, id?: number) =>
  (await service.admin.get(`/api/admin/webhooks/${webhook.id}${id === undefined ? '' : `/deliveries/${id}`}`)).body

/** Creates an event, which notifies no webhook of `photo.deleted`. The service then sends all due deliveries. */
const triggerDeliveries = ({ api } = service) => createEvent(api)

describe('a delivery', () => {
  test('is signed over the exact bytes that are sent, for both ways of verification', async () => {
    const { receiver, webhook } = await createReceiver(undefined, {
      template: '{"Grüße": "${data.event.event_name} – ✓"}',
    })
    const id = await send(webhook)
    const [delivery] = await receiver.receive(1)
    expect(delivery?.body).toMatch(/^\{"Grüße": ".+ – ✓"\}$/)
    expect(delivery?.headers['content-length']).toBe(String(Buffer.byteLength(delivery?.body ?? '')))
    expect(findRow(id).templated_body).toBe(delivery?.body)
    if (!delivery) throw new Error('Nothing was delivered')
    verifyDelivery(delivery, webhook.secret)
    expect(() => verifyDelivery({ ...delivery, body: `${delivery.body} ` }, webhook.secret)).toThrow()
    expect(() => verifyDelivery(delivery, Buffer.alloc(32, 1).toString('base64'))).toThrow()
    const otherId = { ...delivery, headers: { ...delivery.headers, 'webhook-id': 'another' } }
    expect(() => verifyDelivery(otherId, webhook.secret)).toThrow('No matching signature found')
    const late = { ...delivery, receivedAt: delivery.receivedAt + 6 * minute }
    expect(() => verifyDelivery(late, webhook.secret)).toThrow('timestamp too old')
  })

  test('contains its event, its id, its time and its sequence number, also under WEBHOOK_HEADER_ALIAS', async () => {
    const { receiver, webhook } = await createReceiver()
    const first = await send(webhook)
    const second = await send(webhook)
    const [one, other] = (await receiver.receive(2)).toSorted((a, b) => a.sequence - b.sequence)
    expect([one?.sequence, other?.sequence]).toEqual([first, second])
    expect(one).toMatchObject({
      method: 'POST',
      path: '/hook',
      headers: {
        'content-type': 'application/json',
        'user-agent': expect.stringMatching(/^Proofroom\/\d/),
        'x-service-event': 'photo.deleted',
        'x-service-delivery': one?.json.id,
        'webhook-id': one?.json.id,
        'x-service-timestamp': one?.headers['webhook-timestamp'],
        'x-acme-signature': one?.headers['x-service-signature'],
        'x-acme-event': 'photo.deleted',
        'x-acme-delivery': one?.json.id,
      },
    })
    expect(Math.abs(Number(one?.headers['webhook-timestamp']) * 1000 - clock.now())).toBeLessThan(5000)
    expect(one?.json).toMatchObject({ type: 'photo.deleted', data: { event: {}, photo: {} } })
  })

  // On PostgreSQL, a node looks for the deliveries of other processes only every 30 seconds.
  if (!isOnPostgres) {
    test('of another process is sent soon', async () => {
      const { receiver, webhook } = await createReceiver()
      const id = await send(webhook)
      await receiver.receive(1)
      await expectRow(id, { status: 'success' })
      await changeDatabase(service, (stored) => {
        const again = "update webhook_deliveries set status = 'pending', next_attempt_at = ? where id = ?"
        stored.prepare(again).run(clock.now(), id)
      })
      await receiver.receive(2)
    })
  }
})

describe('a failed attempt', () => {
  test('is retried after 1, 5, 30 minutes, 2, 5, 10 and 10 hours, then given up', async () => {
    // A separate service, because the session of the admin ends before the last attempt. Its time stands still, so
    // that a slow machine starts no attempt too early.
    let nowMs = Date.now()
    const at = { now: () => nowMs }
    const own = await serviceForTest({ environment: loopbackAllowed, edges: { clock: at } })
    const { receiver, webhook } = await createReceiver(answer(500, {}, 'Oh no'), { of: own, at })
    const id = await send(webhook, own)
    const row = () => findRow(id, own)
    const msUntilNextAttempt = () => (row().next_attempt_at ?? 0) - at.now()
    const waitsMs = [minute, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour]
    for (const [index, waitMs] of waitsMs.entries()) {
      await receiver.receive(index + 1)
      // While the attempt runs, `next_attempt_at` is the end of its lease of 30 seconds.
      await expect.poll(() => Math.abs(msUntilNextAttempt() / waitMs - 1), { interval: 10 }).toBeLessThan(0.101)
      expect(row()).toMatchObject({ status: 'pending', attempt_count: index + 1, response_body: 'Oh no' })
      expect(row().last_error).toBe('The receiver responded with 500.')
      nowMs += msUntilNextAttempt() - 2000
      await triggerDeliveries(own)
      await triggerDeliveries(own)
      expect(row().attempt_count).toBe(index + 1)
      nowMs += 3000
      await triggerDeliveries(own)
    }
    await receiver.receive(8)
    await expectRow(id, { status: 'failed', attempt_count: 8, next_attempt_at: null }, own)
    expect(row().completed_at).toEqual(expect.any(Number))
    expect(new Set(receiver.received.map((delivery) => delivery.id)).size).toBe(1)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(8)
    // This service has no header alias.
    expect(Object.keys(receiver.received[0]?.headers ?? {}).filter((name) => name.startsWith('x-'))).toEqual(
      ['signature', 'event', 'delivery', 'timestamp', 'sequence'].map((name) => `x-service-${name}`),
    )
  })

  test('and a later success appear in the webhook', async () => {
    const { webhook } = await createReceiver(respondInOrder(answer(503), answer(200)))
    const id = await send(webhook)
    await expectRow(id, { attempt_count: 1, last_error: 'The receiver responded with 503.' })
    const failing = await loadWebhook(webhook)
    expect(failing).toMatchObject({ consecutive_failures: 1, last_success_at: null })
    expect(failing.last_failure_at).toMatch(/Z$/)
    expect(Date.parse((await loadWebhook(webhook, id)).next_retry_at)).toBeGreaterThan(clock.now())
    clock.advance(2 * minute)
    await triggerDeliveries()
    await expectRow(id, { status: 'success', attempt_count: 2, last_error: null, response_status: 200 })
    const well = await loadWebhook(webhook)
    expect(well).toMatchObject({ consecutive_failures: 0, last_failure_at: failing.last_failure_at })
    expect(Date.parse(well.last_success_at)).toBeGreaterThan(Date.parse(well.last_failure_at))
  })

  test('includes one that takes longer than WEBHOOK_HTTP_TIMEOUT_MS', async () => {
    const own = await serviceForTest({ environment: { ...loopbackAllowed, WEBHOOK_HTTP_TIMEOUT_MS: '400' } })
    const { webhook } = await createReceiver(neverRespond, { of: own })
    const id = await send(webhook, own)
    const last_error = expect.stringContaining('within 400 ms')
    await expectRow(id, { status: 'pending', attempt_count: 1, last_error, latency_ms: expect.any(Number) }, own)
  })

  test('with a Retry-After of one second is retried in a second', async () => {
    const { receiver, webhook } = await createReceiver(respondInOrder(answer(503, { 'retry-after': '1' }), answer(204)))
    const id = await send(webhook)
    await receiver.receive(2)
    await expectRow(id, { status: 'success', attempt_count: 2 })
    const [first, second] = receiver.received
    expect((second?.receivedAt ?? 0) - (first?.receivedAt ?? 0)).toBeGreaterThanOrEqual(950)
  })
})

describe('a delivery fails at once', () => {
  test('after a response with 410', async () => {
    const { webhook } = await createReceiver(answer(410))
    const id = await send(webhook)
    await expectRow(id, { status: 'failed', attempt_count: 1, last_error: 'The receiver responded with 410.' })
  })

  test('while the webhook is not active, and no attempt is counted', async () => {
    const { receiver, webhook } = await createReceiver(answer(500))
    const id = await send(webhook)
    await expectRow(id, { last_error: 'The receiver responded with 500.' })
    await service.admin.put(`/api/admin/webhooks/${webhook.id}`, { active: false })
    clock.advance(2 * minute)
    await triggerDeliveries()
    await expectRow(id, { status: 'failed', attempt_count: 1, response_status: 500, next_attempt_at: null })
    expect(findRow(id).last_error).toBe('The webhook was inactive when the delivery was due.')
    expect(receiver.received).toHaveLength(1)
    expect(await loadWebhook(webhook)).toMatchObject({ consecutive_failures: 1 })
  })
})

test('a webhook with an unreadable secret sends nothing, and returns the reason', async () => {
  const { receiver, webhook } = await createReceiver()
  await changeDatabase(service, (stored) => {
    stored.prepare("update webhooks set secret = 'deadbeef.AAAA' where id = ?").run(webhook.id)
  })
  const id = await send(webhook)
  await expectRow(id, { attempt_count: 1, last_error: expect.stringContaining('ENCRYPTION_KEY has changed') })
  expect(receiver.connections()).toBe(0)
})

test('a receiver that fails or hangs does not delay the others, whatever is queued for it', async () => {
  const environment = { ...loopbackAllowed, WEBHOOK_HTTP_TIMEOUT_MS: '60000', WEBHOOK_DELIVERY_CONCURRENCY: '4' }
  const own = await serviceForTest({ environment })
  const events = ['event.updated'] as const
  const hanging = await createReceiver(neverRespond, { of: own, events })
  const failing = await createReceiver(answer(500), { of: own, events })
  const well = await createReceiver(undefined, { of: own, events })
  const { id } = await createEvent(own.api)
  for (let index = 0; index < 20; index++) await own.api.patch(`/api/v1/events/${id}`, { event_name: `Name ${index}` })
  await well.receiver.receive(20)
  await failing.receiver.receive(20)
  expect(hanging.receiver.received.length).toBeLessThanOrEqual(2)
})

test('an attempt interrupted by a shutdown is repeated at the next start, and is not counted as failed', async () => {
  const dataDir = await temporaryFolder()
  const environment = { ...loopbackAllowed, DATA_DIR: dataDir }
  const first = { ...(await serviceForTest({ environment })), dataDir }
  const { receiver, webhook } = await createReceiver(respondInOrder(neverRespond, answer(204)), { of: first })
  const id = await send(webhook, first)
  await receiver.receive(1)
  await first.stop()
  expect(findRow(id, first)).toMatchObject({ status: 'pending', attempt_count: 0, last_error: null })
  await serviceForTest({ environment })
  await receiver.receive(2)
  await expectRow(id, { status: 'success', attempt_count: 1 }, first)
  expect(new Set(receiver.received.map((delivery) => delivery.id)).size).toBe(1)
})

test('a burst arrives completely and once', { tags: 'database' }, async () => {
  const { receiver, webhook } = await createReceiver()
  await Promise.all(Array.from({ length: 100 }, () => send(webhook)))
  await receiver.receive(100)
  expect(new Set(receiver.received.map((delivery) => delivery.id)).size).toBe(100)
  await expect
    .poll(async () => (await service.admin.get('/metrics')).bytes.toString())
    .toMatch(/^proofroom_webhook_attempts_under_way 0$/m)
  expect(receiver.received).toHaveLength(100)
})

test('the metrics show the results of deliveries', async () => {
  const at = createMovableClock()
  const metricsPort = await reservePort()
  const environment = { ...loopbackAllowed, METRICS_PORT: String(metricsPort) }
  const of = await serviceForTest({ environment, edges: { clock: at } })
  const { webhook } = await createReceiver(respondInOrder(answer(500), answer(204)), { of, at })
  const id = await send(webhook, of)
  await expectRow(id, { attempt_count: 1, last_error: expect.any(String) }, of)
  const parseMetrics = (text: string) =>
    Object.fromEntries(
      [...text.matchAll(/^proofroom_webhook_(\w+) (\S+)$/gm)].map(([, name, value]) => [name, Number(value)]),
    )
  const loadMetrics = async () => parseMetrics((await of.admin.get('/metrics')).bytes.toString())
  const failed = {
    attempts_succeeded_total: 0,
    attempts_failed_total: 1,
    attempts_under_way: 0,
    deliveries_pending: 1,
    deliveries_overdue: 0,
    receivers_failing: 1,
  }
  expect(await loadMetrics()).toEqual(failed)
  const receiverOnPort = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  expect(parseMetrics(receiverOnPort)).toEqual(failed)
  at.advance(7 * minute)
  await triggerDeliveries(of)
  await expectRow(id, { status: 'success' }, of)
  expect(await loadMetrics()).toEqual({
    ...failed,
    attempts_succeeded_total: 1,
    deliveries_pending: 0,
    receivers_failing: 0,
  })
})
