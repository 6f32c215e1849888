import { describe, expect, test } from 'vitest'
import type { DeliveryRow } from './delivery-rows.ts'
import { ReceiverTurns, type Turn } from './receiver-turns.ts'

const due = (...ids: number[]) => ids.map((id) => ({ id, dueAt: 0, hasFailed: false }))
const failing = (...ids: number[]) => ids.map((id) => ({ id, dueAt: 0, hasFailed: true }))

let deliveries = 0
const delivery = (webhook_id: number) => ({ id: ++deliveries, webhook_id }) as DeliveryRow

/** Claims as many as it wants of webhooks that have enough, and begins what may begin. */
function begin(turns: ReceiverTurns, webhooks: Parameters<ReceiverTurns['share']>[0]): Turn[] {
  for (const [id, count] of turns.share(webhooks)) turns.add(Array.from({ length: count }, () => delivery(id)))
  return allThatMayBegin(turns)
}

function allThatMayBegin(turns: ReceiverTurns): Turn[] {
  const begun: Turn[] = []
  for (let turn = turns.next(); turn; turn = turns.next()) begun.push(turn)
  return begun
}

const webhooksOf = (begun: Turn[]) => begun.map((turn) => turn.delivery.webhook_id)

/** Lets a receiver answer well so often that it may have as many attempts at once as any. */
function accustom(turns: ReceiverTurns, id: number): void {
  for (let round = 0; round < 20; round++) for (const turn of begin(turns, due(id))) turn.end('succeeded')
}

describe('a receiver', () => {
  test('that nobody knows yet gets one attempt, and one more at once with every success, up to half of all turns', () => {
    const turns = new ReceiverTurns(8)
    const counts: number[] = []
    for (let round = 0; round < 6; round++) {
      const begun = begin(turns, due(1))
      counts.push(begun.length)
      turns.releaseAll()
      for (const turn of begun) turn.end('succeeded')
    }
    expect(counts).toEqual([1, 2, 4, 4, 4, 4])
  })

  test('that answers has as many claimed again as it has under way, so that the next is at hand', () => {
    const turns = new ReceiverTurns(8)
    accustom(turns, 1)
    turns.releaseAll()
    expect(turns.share(due(1)).get(1)).toBe(8)
    const begun = begin(turns, due(1))
    expect(begun).toHaveLength(4)
    begun[0]?.end('succeeded')
    expect(allThatMayBegin(turns)).toHaveLength(1)
  })

  test('that has failed gets one attempt at a time until it answers again', () => {
    const turns = new ReceiverTurns(8)
    accustom(turns, 1)
    turns.releaseAll()
    const begun = begin(turns, due(1))
    const first = begun[0]?.end('failed')
    expect(first?.hasBegunToFail).toBe(true)
    expect(first?.surplus, 'what was claimed ahead is given back').toHaveLength(4)
    for (const turn of begun.slice(1)) expect(turn.end('failed')).toEqual({ hasBegunToFail: false, surplus: [] })
    const [only, ...others] = begin(turns, failing(1))
    expect(others).toEqual([])
    expect(turns.share(failing(1)).size).toBe(0)
    only?.end('succeeded')
    expect(begin(turns, due(1))).toHaveLength(2)
  })

  test('whose failures are known from elsewhere gets one attempt at a time from the beginning', () => {
    const turns = new ReceiverTurns(8)
    expect(begin(turns, failing(1))).toHaveLength(1)
    expect(begin(turns, failing(1))).toEqual([])
  })

  test('of which an attempt has told nothing is as it was', () => {
    const turns = new ReceiverTurns(8)
    begin(turns, due(1))[0]?.end(null)
    expect(begin(turns, due(1))).toHaveLength(1)
  })
})

describe('among several receivers', () => {
  test('each gets one before any gets a second', () => {
    const turns = new ReceiverTurns(8)
    for (const id of [1, 2, 3]) accustom(turns, id)
    turns.releaseAll()
    expect([...turns.share(due(1, 2, 3)).values()]).toEqual([6, 5, 5])
    expect(webhooksOf(begin(turns, due(1, 2, 3))).slice(0, 6)).toEqual([1, 2, 3, 1, 2, 3])
  })

  test('no more attempts are begun than there are turns', () => {
    const turns = new ReceiverTurns(4)
    expect(webhooksOf(begin(turns, due(1, 2, 3, 4, 5, 6)))).toEqual([1, 2, 3, 4])
  })

  test('one that keeps its attempt waiting gives its turn to another', () => {
    const turns = new ReceiverTurns(4)
    const hanging = begin(turns, due(1, 2, 3, 4, 5))
    expect(allThatMayBegin(turns)).toEqual([])
    hanging[0]?.giveWay()
    expect(webhooksOf(allThatMayBegin(turns))).toEqual([5])
    hanging[0]?.end('succeeded')
    expect(webhooksOf(begin(turns, due(1)))).toEqual([])
    hanging[1]?.end('succeeded')
    expect(webhooksOf(allThatMayBegin(turns))).toEqual([1])
  })

  test('those that fail take no turn of the others', () => {
    const turns = new ReceiverTurns(2)
    expect(begin(turns, failing(1, 2, 3))).toHaveLength(3)
    expect(begin(turns, due(4, 5))).toHaveLength(2)
  })

  test('those that hang or fail are bounded too', () => {
    const turns = new ReceiverTurns(2)
    const ids = Array.from({ length: 20 }, (_, index) => index + 1)
    let begun = 0
    for (let round = 0; round < 10; round++) begun += begin(turns, failing(...ids)).length
    expect(begun).toBe(8)
    expect(webhooksOf(begin(turns, due(100)))).toEqual([100])
  })
})
