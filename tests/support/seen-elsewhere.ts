import { expect } from 'vitest'

/** What the service promises of several nodes: a request that begins so long after a change sees it, at any node. */
const promisedMs = 500

/** Asks until it is answered as expected. A request that begins 500 ms after the call must be. */
export async function expectElsewhere<T>(ask: () => Promise<T>, expected: T): Promise<void> {
  const changedAt = performance.now()
  let isLate = false
  let seen: T
  do {
    isLate = performance.now() - changedAt >= promisedMs
    seen = await ask()
  } while (seen !== expected && !isLate)
  expect(seen).toBe(expected)
}
