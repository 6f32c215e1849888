import { describe, expect, test } from 'vitest'
import { ReceiverTurns, type Turn } from './receiver-turns.ts'

const due = (...ids: number[]) => ids.map((id) => ({ id, dueAt: 0, hasFailed: false }))
const failing = (...ids: number[]) => ids.map((id) => ({ id, dueAt: 0, hasFailed: true }))
const many = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

type Begun = Turn & { id: number }

/** Starts all attempts that may start, for webhooks with enough pending deliveries. */
const begin = (turns: ReceiverTurns, webhooks: Parameters<ReceiverTurns['share']>[0]): Begun[] =>
  [...turns.share(webhooks)].flatMap(([id, count]) => Array.from({ length: count }, () => ({ ...turns.begin(id), id })))

const webhooksOf = (begun: Begun[]) => begun.map(({ id }) => id)

/** Lets a receiver succeed until its limit of attempts is at its maximum. */
function accustom(turns: ReceiverTurns, id: number): void {
  for (let round = 0; round < 20; round++) for (const turn of begin(turns, due(id))) turn.end('succeeded')
}

describe('a receiver', () => {
  test('that is new gets one attempt, and one more at once with each success, up to half of the slots', () => {
    const turns = new ReceiverTurns(8)
    const counts: number[] = []
    for (let round = 0; round < 6; round++) {
      const begun = begin(turns, due(1))
      counts.push(begun.length)
      for (const turn of begun) turn.end('succeeded')
    }
    expect(counts).toEqual([1, 2, 4, 4, 4, 4])
  })

  test('has no more deliveries claimed than may start at once', () => {
    const turns = new ReceiverTurns(8)
    accustom(turns, 1)
    const begun = begin(turns, due(1))
    expect(begun).toHaveLength(4)
    expect(turns.share(due(1)).size).toBe(0)
    begun[0]?.end('succeeded')
    expect(turns.share(due(1)).get(1)).toBe(1)
  })

  test('that has failed gets one attempt at a time until it succeeds', () => {
    const turns = new ReceiverTurns(8)
    accustom(turns, 1)
    const lessons = begin(turns, due(1)).map((turn) => turn.end('failed').hasBegunToFail)
    expect(lessons).toEqual([true, false, false, false])
    const [only, ...others] = begin(turns, failing(1))
    expect(others).toEqual([])
    expect(turns.share(failing(1)).size).toBe(0)
    only?.end('succeeded')
    expect(begin(turns, due(1))).toHaveLength(2)
  })

  test('that has failed in another process gets one attempt at a time from the start', () => {
    const turns = new ReceiverTurns(8)
    expect(begin(turns, failing(1))).toHaveLength(1)
    expect(begin(turns, failing(1))).toEqual([])
  })

  test('is unchanged after an attempt without a verdict', () => {
    const turns = new ReceiverTurns(8)
    begin(turns, due(1))[0]?.end(null)
    expect(begin(turns, due(1))).toHaveLength(1)
  })
})

describe('among several receivers', () => {
  test('each gets one attempt before any gets a second', () => {
    const turns = new ReceiverTurns(8)
    for (const id of [1, 2, 3]) accustom(turns, id)
    expect([...turns.share(due(1, 2, 3))]).toEqual([
      [1, 3],
      [2, 3],
      [3, 2],
    ])
  })

  test('no more attempts start than there are slots', () => {
    const turns = new ReceiverTurns(4)
    expect(webhooksOf(begin(turns, due(1, 2, 3, 4, 5, 6)))).toEqual([1, 2, 3, 4])
    expect(begin(turns, due(5, 6))).toEqual([])
  })

  test('the next slot goes to the receiver whose last attempt is longest ago, whatever the queue of another', () => {
    const turns = new ReceiverTurns(4)
    for (const id of [1, 2]) accustom(turns, id)
    const [first] = begin(turns, due(1, 2))
    first?.end('succeeded')
    expect(webhooksOf(begin(turns, due(1, 2, 3)))).toEqual([3])
  })

  test('a slow receiver releases its slot to another', () => {
    const turns = new ReceiverTurns(4)
    const hanging = begin(turns, due(1, 2, 3, 4, 5))
    expect(begin(turns, due(5))).toEqual([])
    hanging[0]?.giveWay()
    expect(webhooksOf(begin(turns, due(5)))).toEqual([5])
    hanging[0]?.end('succeeded')
    expect(begin(turns, due(1))).toEqual([])
    hanging[1]?.end('succeeded')
    expect(webhooksOf(begin(turns, due(1)))).toEqual([1])
  })

  test('failing receivers use no slots of the others', () => {
    const turns = new ReceiverTurns(2)
    expect(begin(turns, failing(1, 2, 3))).toHaveLength(3)
    expect(begin(turns, due(4, 5))).toHaveLength(2)
  })

  test('slow and failing receivers are limited too', () => {
    const turns = new ReceiverTurns(2)
    let begun = 0
    for (let round = 0; round < 10; round++) begun += begin(turns, failing(...many(20))).length
    expect(begun).toBe(8)
    expect(webhooksOf(begin(turns, due(100)))).toEqual([100])
  })

  test('each slot that a slow receiver releases is used again, however many are slow', () => {
    const turns = new ReceiverTurns(16)
    const silent = many(150)
    const hanging: Begun[] = []
    let rounds = 0
    for (let isWellServed = false; !isWellServed && rounds < 20; rounds++) {
      const begun = begin(turns, due(...silent, 1000))
      isWellServed = webhooksOf(begun).includes(1000)
      for (const turn of begun) turn.giveWay()
      hanging.push(...begun)
    }
    expect(rounds).toBe(Math.ceil(151 / 16))
    // Without free slots for slow receivers nothing more starts at these.
    expect(begin(turns, due(...silent))).toEqual([])
    for (const turn of hanging.splice(0, 100)) turn.end('failed')
    expect(begin(turns, failing(...silent))).toHaveLength(64 - 51)
  })
})
