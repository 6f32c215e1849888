import { expect } from 'vitest'

/**
 * Work that takes less is not judged: processor time is counted in steps of some milliseconds, and other work of the
 * process would decide.
 */
const floorMs = 8
const runsPerMeasurement = 10

/**
 * Expects that twice the length takes at most three times the processor time of this thread, which runs the service: best
 * of five. `prepare` gets 0.5 or 1 and returns the work for this share of the length.
 */
export async function expectLinear(name: string, prepare: (share: number) => () => Promise<void>): Promise<void> {
  const workOnHalf = prepare(0.5)
  const workOnWhole = prepare(1)
  if ((await measure(1, workOnWhole)) < floorMs) return
  const half: number[] = []
  const whole: number[] = []
  while (whole.length < 5) {
    whole.push(await measure(runsPerMeasurement, workOnWhole))
    if (Math.min(...whole) < floorMs * runsPerMeasurement) return
    half.push(await measure(runsPerMeasurement, workOnHalf))
  }
  const [halfMs, wholeMs] = [Math.min(...half), Math.min(...whole)]
  expect(wholeMs / halfMs, `${name}: ${halfMs} and ${wholeMs} ms`).toBeLessThanOrEqual(3)
}

async function measure(runs: number, work: () => Promise<void>): Promise<number> {
  const before = process.threadCpuUsage()
  for (let run = 0; run < runs; run++) await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
