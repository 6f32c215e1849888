import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { breakWrites } from './broken-writes.ts'
import { killedService } from './killed-service.ts'
import { inDatabase } from './stored.ts'
import type { TestClient } from './test-client.ts'
import type { TestService } from './test-service.ts'
import {
  answer,
  type ReceivedDelivery,
  slowly,
  type WebhookReceiver,
  webhookReceiverForTest,
} from './webhook-receiver.ts'
import { subscribe } from './webhooks.ts'

const lanes = 6
const usual = slowly(5, answer(200))
const unlucky = 'unlucky@example.com'

/** The claim of a killed process expires this time plus 20 seconds later. */
const timeoutMs = 3_000

/**
 * Kills a service with `kill -9` repeatedly at random moments while it makes changes. Every committed change must
 * arrive under one id, and no other change. Only deliveries without a recorded success may arrive twice.
 */
export async function killDuringDeliveries({ changes, lives }: { changes: number; lives: number }): Promise<void> {
  /** More than needed, because some requests are interrupted and some fail. */
  const sharePerLane = Math.ceil((changes * 1.3) / lives / lanes)
  const receiver = await webhookReceiverForTest({ respond: usual })
  const service = await killedService({
    LOG_LEVEL: 'silent',
    WEBHOOK_ALLOW_PRIVATE_URLS: 'true',
    WEBHOOK_HTTP_TIMEOUT_MS: String(timeoutMs),
  })
  const { stored } = service
  const events = ['event.created', 'event.published'] as const
  const { secret } = await subscribe({ ...stored, admin: service.admin() }, { events, url: receiver.url })
  receiver.trust(secret)
  await rejectMailsTo(stored, unlucky)

  /** For each life: the deliveries recorded as successful when it was killed, and the number of arrivals until then. */
  const noted: Array<Set<string>> = []
  const arrivedUntil: number[] = []
  let failedCount = 0
  for (let life = 0; life < lives || eventCount(stored) < changes; life++) {
    const killing = new AbortController()
    const share = Array.from({ length: lanes }, (_, lane) =>
      keepCreating(service.api(), `${life}-${lane}`, sharePerLane, killing.signal),
    )
    // At a random moment, or after a random number of deliveries.
    await (life % 2 === 0
      ? sleep(50 + Math.random() * 900)
      : arrivals(receiver, 1 + Math.floor((Math.random() * changes) / lives)))
    await service.kill()
    killing.abort()
    for (const lane of await Promise.all(share)) failedCount += lane
    // Requests in flight have arrived when the connections have ended.
    await expect.poll(receiver.openConnections).toBe(0)
    noted.push(new Set(rowsOf(stored, "where status = 'success'").map(({ envelope_id }) => envelope_id)))
    arrivedUntil.push(receiver.received.length)
    receiver.respond = usual
    await service.restart()
  }
  await expect.poll(() => rowsOf(stored, "where status = 'pending'"), { timeout: 50_000, interval: 200 }).toEqual([])
  await service.kill()

  const { received } = receiver
  expect(failedCount).toBeGreaterThan(changes / 50)
  expect(new Set(received.map(formatAnnouncement))).toEqual(new Set(committed(stored)))
  const rows = rowsOf(stored)
  expect(rows.every(({ status }) => status === 'success')).toBe(true)
  expect(rows.map(({ envelope_id }) => envelope_id)).toEqual([...new Set(rows.map(({ envelope_id }) => envelope_id))])
  expect(new Map(received.map((delivery) => [delivery.id, delivery.sequence]))).toEqual(
    new Map(rows.map(({ envelope_id, id }) => [envelope_id, id])),
  )
  // Each announced change must have exactly one id.
  expect(new Set(received.map((delivery) => `${delivery.id} ${formatAnnouncement(delivery)}`)).size).toBe(rows.length)
  expect(rows.length).toBe(committed(stored).length)

  const repeats = repeatedArrivals(received)
  expect(repeats.length).toBeGreaterThan(0)
  const lifeOf = (index: number) => arrivedUntil.filter((until) => until <= index).length
  expect(repeats.filter(({ before, again }) => lifeOf(before) === lifeOf(again))).toEqual([])
  expect(repeats.filter(({ id, again }) => noted[lifeOf(again) - 1]?.has(id))).toEqual([])
}

/** The mail is the last write in the transaction of a live event, so the change fails after its announcement. */
const rejectMailsTo = (stored: TestService, recipient: string) =>
  breakWrites(stored, 'insert on mails', `new.recipient = '${recipient}'`)

/** Creates drafts, live events and some events that fail. Returns the number of failures. */
async function keepCreating(api: TestClient, lane: string, count: number, killed: AbortSignal): Promise<number> {
  let failedCount = 0
  for (let index = 0; index < count && !killed.aborted; index++) {
    const isUnlucky = index % 8 === 3
    const answer = await api
      .post('/api/v1/events', {
        event_type: 'wedding',
        event_name: `${isUnlucky ? 'Unlucky' : 'Lucky'} ${lane}-${index}`,
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
function arrivals(receiver: WebhookReceiver, count: number): Promise<void> {
  let left = count
  return new Promise((resolve) => {
    receiver.respond = (response, delivery) => {
      if (--left > 0) usual(response, delivery)
      else resolve()
    }
  })
}

const eventCount = (stored: TestService): number =>
  inDatabase(stored, (stored) => stored.prepare<[], number>('select count(*) from events').pluck().get() ?? 0)

const committed = (stored: TestService): string[] =>
  inDatabase(stored, (stored) => {
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

const rowsOf = (stored: TestService, where = ''): Row[] =>
  inDatabase(stored, (stored) =>
    stored.prepare<[], Row>(`select id, envelope_id, status from webhook_deliveries ${where} order by id`).all(),
  )

function repeatedArrivals(received: readonly ReceivedDelivery[]) {
  const last = new Map<string, number>()
  return received.flatMap(({ id }, again) => {
    const before = last.get(id)
    last.set(id, again)
    return before === undefined ? [] : [{ id, before, again }]
  })
}
