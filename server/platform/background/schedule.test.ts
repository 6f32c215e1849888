import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DatabaseUnavailable } from '../database/opened-database.ts'
import { repeat } from './schedule.ts'

const log = pino({ level: 'silent' })

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('work runs immediately and then at each interval, until it is stopped', async () => {
  let runs = 0
  const job = repeat(log, 'work', 1000, async () => {
    runs++
  })
  expect(runs).toBe(1)
  await vi.advanceTimersByTimeAsync(3000)
  expect(runs).toBe(4)
  await job.stop()
  await vi.advanceTimersByTimeAsync(3000)
  expect(runs).toBe(4)
})

test('work that takes longer than its interval never runs twice at a time, and stopping waits for it', async () => {
  let running = 0
  let most = 0
  const job = repeat(log, 'work', 1000, async () => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setTimeout(resolve, 2500))
    running--
  })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(most).toBe(1)
  const stopped = job.stop().then(() => running)
  expect(running).toBe(1)
  await vi.advanceTimersByTimeAsync(3000)
  expect(await stopped).toBe(0)
})

test('failed work runs again', async () => {
  let runs = 0
  const job = repeat(log, 'work', 1000, async () => {
    runs++
    throw new Error('no')
  })
  await vi.advanceTimersByTimeAsync(2000)
  expect(runs).toBe(3)
  await job.stop()
})

test('work is retried early in an outage, which is logged once', async () => {
  const received: Array<[string, string]> = []
  const note = (level: string) => (_facts: object, text: string) => received.push([level, text])
  const listening = { warn: note('warn'), info: note('info'), error: note('error') } as unknown as typeof log
  let runs = 0
  const job = repeat(listening, 'work', 3_600_000, async () => {
    runs++
    if (runs < 4) throw new DatabaseUnavailable('away')
  })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(runs).toBe(4)
  expect(received.map(([level]) => level)).toEqual(['warn', 'info'])
  await job.stop()
})
