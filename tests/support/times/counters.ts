import type { FileTimes } from '../../../tools/test-times.ts'

/** What tests spend their time on. Costs of one cause are part of those of another: a start of a service makes requests too. */
type Cause =
  | 'service start'
  | 'HTTP request'
  | 'password hash'
  | 'image or video process'
  | 'other process'
  | 'browser start'
  | 'PostgreSQL database'
  | 'S3 request'

let costs: FileTimes['costs'] = {}

export function addCost(cause: Cause, ms: number): void {
  const { count, ms: before } = costs[cause] ?? { count: 0, ms: 0 }
  costs[cause] = { count: count + 1, ms: before + ms }
}

/** Runs the work and adds the time from its start to its end. Returns and throws what the work does. */
export async function timed<T>(cause: Cause, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  try {
    return await work()
  } finally {
    addCost(cause, performance.now() - startedAt)
  }
}

/** Returns the costs since the last call. */
export function takeCosts(): FileTimes['costs'] {
  const taken = costs
  costs = {}
  return taken
}
