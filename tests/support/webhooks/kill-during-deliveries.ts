import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { TestClient } from '../clients/test-client.ts'
import { makeWritesFail } from '../database/failing-writes.ts'
import { changeDatabase, readDatabase } from '../database/service-database.ts'
import { startKillableService } from '../service/killable-service.ts'
import type { TestService } from '../service/test-service.ts'
import {
  answer,
  type ReceivedDelivery,
  respondSlowly,
  type WebhookReceiver,
  webhookReceiverForTest,
} from './webhook-receiver.ts'
import { createTestWebhook } from './webhooks.ts'

const workers = 6
const defaultRespond = respondSlowly(5, answer(200))
const unlucky = 'unlucky@example.com'

/** A delivery that a killed process has claimed is sent again after this time plus 20 seconds. */
const timeoutMs = 3_000

/** With `waitsForLeases`, the claims of a killed process end by themselves after 23 s, otherwise before its restart. */
type Options = { changes: number; lives: number; waitsForLeases: boolean }

/**
 * Kills a service with `kill -9` repeatedly while it makes changes. Each committed change, and no other, must arrive
 * under one id. It may arrive twice only if its success was not recorded.
 */
export async function killDuringDeliveries({ changes, lives, waitsForLeases }: Options): Promise<void> {
  /** More than needed, because some requests are interrupted and some fail. */
  const createsPerWorker = Math.ceil((changes * 1.3) / lives / workers)
  const receiver = await webhookReceiverForTest({ respond: defaultRespond })
  const service = await startKillableService({
    LOG_LEVEL: 'silent',
    WEBHOOK_ALLOW_PRIVATE_URLS: 'true',
    WEBHOOK_HTTP_TIMEOUT_MS: String(timeoutMs),
  })
  const { stored } = service
  const events = ['event.created', 'event.published'] as const
  const { secret } = await createTestWebhook({ ...stored, admin: service.admin() }, { events, url: receiver.url })
  receiver.trust(secret)
  await rejectMailsTo(stored, unlucky)

  /**
   * For each life of the service, from a start to the next kill: the deliveries recorded as successful when it was
   * killed, and the number of arrivals until then.
   */
  const recordedSuccesses: Array<Set<string>> = []
  const arrivedUntil: number[] = []
  let failedCount = 0
  for (let life = 0; life < lives || countEvents(stored) < changes; life++) {
    const killing = new AbortController()
    const share = Array.from({ length: workers }, (_, worker) =>
      keepCreating(service.api(), `${life}-${worker}`, createsPerWorker, killing.signal),
    )
    // Waits for a random time, or for a random number of deliveries.
    await (life % 2 === 0
      ? sleep(50 + Math.random() * 900)
      : waitForArrivals(receiver, 1 + Math.floor((Math.random() * changes) / lives)))
    await service.kill()
    killing.abort()
    for (const worker of await Promise.all(share)) failedCount += worker
    // Requests in flight have arrived when the connections have ended.
    await expect.poll(receiver.openConnections).toBe(0)
    recordedSuccesses.push(
      new Set(loadDeliveryRows(stored, "where status = 'success'").map(({ envelope_id }) => envelope_id)),
    )
    arrivedUntil.push(receiver.received.length)
    receiver.respond = defaultRespond
    if (!waitsForLeases) await endLeases(stored)
    await service.restart()
  }
  await expect.poll(() => loadDeliveryRows(stored, "where status = 'pending'"), { interval: 200 }).toEqual([])
  await service.kill()

  const { received } = receiver
  expect(failedCount).toBeGreaterThan(changes / 50)
  expect(new Set(received.map(formatAnnouncement))).toEqual(new Set(listCommitted(stored)))
  const rows = loadDeliveryRows(stored)
  expect(rows.every(({ status }) => status === 'success')).toBe(true)
  expect(rows.map(({ envelope_id }) => envelope_id)).toEqual([...new Set(rows.map(({ envelope_id }) => envelope_id))])
  expect(new Map(received.map((delivery) => [delivery.id, delivery.sequence]))).toEqual(
    new Map(rows.map(({ envelope_id, id }) => [envelope_id, id])),
  )
  // Each announced change must have exactly one id.
  expect(new Set(received.map((delivery) => `${delivery.id} ${formatAnnouncement(delivery)}`)).size).toBe(rows.length)
  expect(rows.length).toBe(listCommitted(stored).length)

  const repeats = listRepeatedArrivals(received)
  expect(repeats.length).toBeGreaterThan(0)
  const getLife = (index: number) => arrivedUntil.filter((until) => until <= index).length
  expect(repeats.filter(({ before, again }) => getLife(before) === getLife(again))).toEqual([])
  expect(repeats.filter(({ id, again }) => recordedSuccesses[getLife(again) - 1]?.has(id))).toEqual([])
}

/**
 * Makes the creation of a live event with this recipient fail. The mail is written after the event was announced, so
 * the announcement is rolled back with the transaction.
 */
const rejectMailsTo = (stored: TestService, recipient: string) =>
  makeWritesFail(stored, 'insert on mails', `new.recipient = '${recipient}'`)

/** Creates drafts, live events and some events that fail. Returns the number of failures. */
async function keepCreating(api: TestClient, worker: string, count: number, killed: AbortSignal): Promise<number> {
  let failedCount = 0
  for (let index = 0; index < count && !killed.aborted; index++) {
    const isUnlucky = index % 8 === 3
    const answer = await api
      .post('/api/v1/events', {
        event_type: 'wedding',
        event_name: `${isUnlucky ? 'Unlucky' : 'Lucky'} ${worker}-${index}`,
        require_password: false,
        is_draft: !isUnlucky && index % 2 === 0,
        ...(isUnlucky && { customer_email: unlucky }),
      })
      // The connection breaks when the service is killed. The database shows whether the event was committed.
      .catch(() => null)
    if (answer && answer.status !== (isUnlucky ? 500 : 201)) throw new Error(`A create is answered ${answer.status}`)
    if (answer?.status === 500) failedCount++
  }
  return failedCount
}

/** Resolves after this many arrivals. The last of them and all later ones get no response. */
function waitForArrivals(receiver: WebhookReceiver, count: number): Promise<void> {
  let left = count
  return new Promise((resolve) => {
    receiver.respond = (response, delivery) => {
      if (--left > 0) defaultRespond(response, delivery)
      else resolve()
    }
  })
}

const endLeases = (stored: TestService) =>
  changeDatabase(stored, (stored) =>
    stored.exec("update webhook_deliveries set next_attempt_at = 0 where status = 'pending'"),
  )

const countEvents = (stored: TestService): number =>
  readDatabase(stored, (stored) => stored.prepare<[], number>('select count(*) from events').pluck().get() ?? 0)

const listCommitted = (stored: TestService): string[] =>
  readDatabase(stored, (stored) => {
    const events = stored.prepare<[], { event_name: string; is_draft: 0 | 1 }>(
      'select event_name, is_draft from events',
    )
    return events
      .all()
      .flatMap(({ event_name, is_draft }) => [
        `event.created ${event_name}`,
        ...(is_draft === 1 ? [] : [`event.published ${event_name}`]),
      ])
  })

const formatAnnouncement = ({ type, json }: ReceivedDelivery): string => `${type} ${json.data.event.event_name}`

type Row = { id: number; envelope_id: string; status: string }

const loadDeliveryRows = (stored: TestService, where = ''): Row[] =>
  readDatabase(stored, (stored) =>
    stored.prepare<[], Row>(`select id, envelope_id, status from webhook_deliveries ${where} order by id`).all(),
  )

function listRepeatedArrivals(received: readonly ReceivedDelivery[]) {
  const last = new Map<string, number>()
  return received.flatMap(({ id }, again) => {
    const before = last.get(id)
    last.set(id, again)
    return before === undefined ? [] : [{ id, before, again }]
  })
}
