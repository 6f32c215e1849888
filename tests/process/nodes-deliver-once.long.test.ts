import { expect, test } from 'vitest'
import { changeDatabase, readDatabase } from '../support/database/service-database.ts'
import { createEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { clusterForFile } from '../support/nodes/cluster.ts'
import {
  answer,
  type ReceivedDelivery,
  type Respond,
  respondSlowly,
  webhookReceiverForFile,
} from '../support/webhooks/webhook-receiver.ts'
import { createTestWebhook } from '../support/webhooks/webhooks.ts'

const { nodes, balanced } = await clusterForFile()
const [alpha, beta] = nodes
const receiver = await webhookReceiverForFile()
const webhooks = 3

test('no delivery of changes made on both nodes is sent twice, and both nodes send', async () => {
  const expectedAttempts = new Map<string, number>()
  receiver.respond = respondSlowly(5, rejectSomeOnce(expectedAttempts))
  for (let index = 0; index < webhooks; index++) {
    const events = ['event.created', 'photo.uploaded', 'photo.deleted', 'event.updated'] as const
    const { secret } = await createTestWebhook(balanced, { events, url: `${receiver.url}/${index}` })
    receiver.trust(secret)
  }
  const makeChanges = async ({ api, admin }: typeof alpha, worker: number) => {
    for (let round = 0; round < 3; round++) {
      const event = await createEvent(api, { is_draft: true })
      const photos = await uploadPhotos(api, event.id, 3)
      await admin.patch(`/api/admin/events/${event.id}`, { event_name: `Lane ${worker}` })
      await admin.delete(`/api/admin/photos/${event.id}/photos/${photos[0]}`)
    }
  }
  await Promise.all([alpha, beta, alpha, beta].map(makeChanges))
  const expected = 4 * 3 * 6 * webhooks
  const countDeliveries = () => deliveries().length
  expect(countDeliveries()).toBe(expected)
  const open = () => deliveries().filter(({ status }) => status !== 'success').length
  await expect.poll(open, { interval: 200 }).toBe(0)

  expect(expectedAttempts.size).toBe(expected)
  expect(countOccurrences(receiver.received.map(({ id }) => id))).toEqual(expectedAttempts)
  expect(new Map(deliveries().map((row) => [row.envelope_id, row.attempt_count]))).toEqual(expectedAttempts)
  for (const node of nodes) expect(listSentBy(node.name).length).toBeGreaterThan(expected / 20)
})

test('expired events are announced once each, although both nodes look for them', async () => {
  const { secret } = await createTestWebhook(balanced, { events: ['event.expired'], url: `${receiver.url}/expired` })
  receiver.trust(secret)
  receiver.respond = answer(204)
  const soon = new Date(Date.now() + 60_000).toISOString()
  const ids: number[] = []
  const create = async ({ api }: typeof alpha) => {
    for (let count = 0; count < 20; count++) ids.push((await createEvent(api, { expires_at: soon })).id)
  }
  await Promise.all([create(alpha), create(beta), create(alpha), create(beta)])
  // The webhooks of the first test get the new events, which a killed node would send only after its lease.
  const countOpen = () => deliveries().filter(({ status }) => status !== 'success').length
  await expect.poll(countOpen, { interval: 200 }).toBe(0)

  // Both nodes try to run the job for expired events when they start.
  await Promise.all(nodes.map((node) => node.kill()))
  await changeDatabase(balanced, (stored) =>
    stored.prepare('update events set expires_at = ? where id >= ?').run(Date.now() - 1, Math.min(...ids)),
  )
  await Promise.all(nodes.map((node) => node.start()))
  const expired = () => receiver.received.filter(({ type }) => type === 'event.expired')
  await expect.poll(() => expired().length, { interval: 100 }).toBeGreaterThanOrEqual(ids.length)
  expect(deliveries().filter(({ envelope_id }) => !receiver.received.some(({ id }) => id === envelope_id))).toEqual([])
  expect(countOccurrences(expired().map(({ json }) => json.data.event.id))).toEqual(new Map(ids.map((id) => [id, 1])))
})

type Delivery = { envelope_id: string; status: string; attempt_count: number }

const deliveries = (): Delivery[] =>
  readDatabase(balanced, (stored) =>
    stored.prepare<[], Delivery>('select envelope_id, status, attempt_count from webhook_deliveries').all(),
  )

const listSentBy = (name: string): ReceivedDelivery[] =>
  receiver.received.filter(({ headers }) => headers[`x-${name.toLowerCase()}-delivery`] !== undefined)

/**
 * Returns a responder that rejects the first attempt of one delivery in 40 with 503. It records the expected number of
 * attempts by delivery id.
 */
function rejectSomeOnce(expectedAttempts: Map<string, number>): Respond {
  return (response, delivery) => {
    const isRejected = !expectedAttempts.has(delivery.id) && delivery.sequence % 40 === 0
    if (!expectedAttempts.has(delivery.id)) expectedAttempts.set(delivery.id, isRejected ? 2 : 1)
    answer(isRejected ? 503 : 200, isRejected ? { 'retry-after': '1' } : {})(response, delivery)
  }
}

function countOccurrences<Key>(keys: readonly Key[]): Map<Key, number> {
  const counts = new Map<Key, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}
