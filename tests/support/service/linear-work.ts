import { expect } from 'vitest'

/**
 * Work that takes less is not judged: processor time is counted in steps of some milliseconds, and other work of the
 * process would decide.
 */
const floorMs = 8
const runsPerMeasurement = 10

/**
 * Expects that four times the length takes at most eight times the processor time of this thread, which runs the service:
 * best of five. Linear work takes four times, quadratic work sixteen. `prepare` gets 0.25 or 1 and returns the work for this
 * share of the length.
 */
export async function expectLinear(name: string, prepare: (share: number) => () => Promise<void>): Promise<void> {
  const workOnQuarter = prepare(0.25)
  const workOnWhole = prepare(1)
  if ((await measure(1, workOnWhole)) < floorMs) return
  const quarter: number[] = []
  const whole: number[] = []
  while (whole.length < 5) {
    whole.push(await measure(runsPerMeasurement, workOnWhole))
    if (Math.min(...whole) < floorMs * runsPerMeasurement) return
    quarter.push(await measure(runsPerMeasurement, workOnQuarter))
  }
  const [quarterMs, wholeMs] = [Math.min(...quarter), Math.min(...whole)]
  expect(wholeMs / quarterMs, `${name}: ${quarterMs} and ${wholeMs} ms`).toBeLessThanOrEqual(8)
}

async function measure(runs: number, work: () => Promise<void>): Promise<number> {
  const before = process.threadCpuUsage()
  for (let run = 0; run < runs; run++) await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
