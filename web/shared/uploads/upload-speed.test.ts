import { expect, test } from 'vitest'
import { Speedometer, secondsLeft } from './upload-speed.ts'

test('measures the speed of the last ten seconds', () => {
  const meter = new Speedometer()
  // Slow for twenty seconds, then fast.
  for (let second = 0; second <= 20; second++) meter.addSample(second * 100, second * 1000)
  expect(meter.bytesPerSecond(20_000)).toBe(100)
  for (let second = 21; second <= 30; second++) meter.addSample(2000 + (second - 20) * 1000, second * 1000)
  expect(meter.bytesPerSecond(30_000)).toBe(1000)
  // Without progress the speed falls as time passes.
  expect(meter.bytesPerSecond(40_000)).toBe(500)
})

test('returns no speed and no time left for less than two seconds or after a restart', () => {
  const meter = new Speedometer()
  expect(meter.bytesPerSecond(0)).toBeNull()
  meter.addSample(0, 0)
  meter.addSample(900, 1000)
  expect(meter.bytesPerSecond(1000)).toBeNull()
  meter.addSample(900, 3000)
  expect(meter.bytesPerSecond(3000)).toBe(300)
  meter.restart()
  expect(meter.bytesPerSecond(4000)).toBeNull()
  expect(secondsLeft(5000, 1000)).toBe(5)
  expect(secondsLeft(5000, null)).toBeNull()
})
