import { describe, expect, test } from 'vitest'
import { type AttemptSlot, ReceiverLimits } from './receiver-limits.ts'

const due = (...ids: number[]) => ids.map((id) => ({ id, dueAt: 0, hasFailed: false }))
const failing = (...ids: number[]) => ids.map((id) => ({ id, dueAt: 0, hasFailed: true }))
const many = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

type Begun = AttemptSlot & { id: number }

/** Starts all attempts that may start, for webhooks with enough pending deliveries. */
const begin = (limits: ReceiverLimits, webhooks: Parameters<ReceiverLimits['share']>[0]): Begun[] =>
  [...limits.share(webhooks)].flatMap(([id, count]) =>
    Array.from({ length: count }, () => ({ ...limits.begin(id), id })),
  )

const webhooksOf = (begun: Begun[]) => begun.map(({ id }) => id)

/** Ends attempts with success until the receiver has the maximum number of concurrent attempts. */
function raiseLimit(limits: ReceiverLimits, id: number): void {
  for (let round = 0; round < 20; round++) for (const slot of begin(limits, due(id))) slot.end('succeeded')
}

describe('a receiver', () => {
  test('that is new gets one attempt at a time, and one more with each success, up to half of the slots', () => {
    const limits = new ReceiverLimits(8)
    const counts: number[] = []
    for (let round = 0; round < 6; round++) {
      const begun = begin(limits, due(1))
      counts.push(begun.length)
      for (const slot of begun) slot.end('succeeded')
    }
    expect(counts).toEqual([1, 2, 4, 4, 4, 4])
  })

  test('has no more deliveries claimed than may start at once', () => {
    const limits = new ReceiverLimits(8)
    raiseLimit(limits, 1)
    const begun = begin(limits, due(1))
    expect(begun).toHaveLength(4)
    expect(limits.share(due(1)).size).toBe(0)
    begun[0]?.end('succeeded')
    expect(limits.share(due(1)).get(1)).toBe(1)
  })

  test('that has failed gets one attempt at a time until it succeeds', () => {
    const limits = new ReceiverLimits(8)
    raiseLimit(limits, 1)
    const failureStarts = begin(limits, due(1)).map((slot) => slot.end('failed').hasStartedFailing)
    expect(failureStarts).toEqual([true, false, false, false])
    const [only, ...others] = begin(limits, failing(1))
    expect(others).toEqual([])
    expect(limits.share(failing(1)).size).toBe(0)
    only?.end('succeeded')
    expect(begin(limits, due(1))).toHaveLength(2)
  })

  test('that has failed in another process gets one attempt at a time from the start', () => {
    const limits = new ReceiverLimits(8)
    expect(begin(limits, failing(1))).toHaveLength(1)
    expect(begin(limits, failing(1))).toEqual([])
    // An attempt without a verdict changes nothing.
    begin(limits, due(2))[0]?.end(null)
    expect(begin(limits, due(2))).toHaveLength(1)
  })
})

describe('among several receivers', () => {
  test('each gets one attempt before any gets a second', () => {
    const limits = new ReceiverLimits(8)
    for (const id of [1, 2, 3]) raiseLimit(limits, id)
    expect([...limits.share(due(1, 2, 3))]).toEqual([
      [1, 3],
      [2, 3],
      [3, 2],
    ])
  })

  test('no more attempts start than there are slots', () => {
    const limits = new ReceiverLimits(4)
    expect(webhooksOf(begin(limits, due(1, 2, 3, 4, 5, 6)))).toEqual([1, 2, 3, 4])
    expect(begin(limits, due(5, 6))).toEqual([])
  })

  test('the next slot goes to the receiver whose last attempt is longest ago, whatever the queue of another', () => {
    const limits = new ReceiverLimits(4)
    for (const id of [1, 2]) raiseLimit(limits, id)
    const [first] = begin(limits, due(1, 2))
    first?.end('succeeded')
    expect(webhooksOf(begin(limits, due(1, 2, 3)))).toEqual([3])
  })

  test('a slow receiver releases its slot to another', () => {
    const limits = new ReceiverLimits(4)
    const hanging = begin(limits, due(1, 2, 3, 4, 5))
    expect(begin(limits, due(5))).toEqual([])
    hanging[0]?.release()
    expect(webhooksOf(begin(limits, due(5)))).toEqual([5])
    hanging[0]?.end('succeeded')
    expect(begin(limits, due(1))).toEqual([])
    hanging[1]?.end('succeeded')
    expect(webhooksOf(begin(limits, due(1)))).toEqual([1])
  })

  test('failing receivers use no slots of the others, but are limited too', () => {
    const limits = new ReceiverLimits(2)
    expect(begin(limits, failing(1, 2, 3))).toHaveLength(3)
    expect(begin(limits, due(100, 101))).toHaveLength(2)
    let begun = 3
    for (let round = 0; round < 10; round++) begun += begin(limits, failing(...many(20))).length
    expect(begun).toBe(8)
  })

  test('each slot that a slow receiver releases is used again, however many are slow', () => {
    const limits = new ReceiverLimits(16)
    const silent = many(150)
    const hanging: Begun[] = []
    let rounds = 0
    for (let isWellServed = false; !isWellServed && rounds < 20; rounds++) {
      const begun = begin(limits, due(...silent, 1000))
      isWellServed = webhooksOf(begun).includes(1000)
      for (const slot of begun) slot.release()
      hanging.push(...begun)
    }
    expect(rounds).toBe(Math.ceil(151 / 16))
    // The one attempt of each silent receiver is still running, so no further attempt may start.
    expect(begin(limits, due(...silent))).toEqual([])
    for (const slot of hanging.splice(0, 100)) slot.end('failed')
    expect(begin(limits, failing(...silent))).toHaveLength(64 - 51)
  })
})
