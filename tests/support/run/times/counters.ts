import type { FileTimes } from '../../../../tools/test-times.ts'

/** What tests spend time on. The times overlap: a service start includes requests. */
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

/** Runs the function and adds its duration to the costs of `cause`. */
export async function measureCost<T>(cause: Cause, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  try {
    return await work()
  } finally {
    addCost(cause, performance.now() - startedAt)
  }
}

export function takeCosts(): FileTimes['costs'] {
  const taken = costs
  costs = {}
  return taken
}
