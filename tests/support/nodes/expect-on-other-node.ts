import { expect } from 'vitest'

/** The service guarantees: a request that begins this long after a change sees the change on every node. */
const guaranteedMs = 500

/**
 * Repeats the request until it returns `expected`. Fails if a request that begins 500 ms or more after the start of
 * this function returns another value.
 */
export async function expectOnOtherNode<T>(ask: () => Promise<T>, expected: T): Promise<void> {
  const changedAt = performance.now()
  let isLate = false
  let seen: T
  do {
    isLate = performance.now() - changedAt >= guaranteedMs
    seen = await ask()
  } while (seen !== expected && !isLate)
  expect(seen).toBe(expected)
}
