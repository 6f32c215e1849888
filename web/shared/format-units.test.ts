import { expect, test } from 'vitest'
import { formatDuration, formatSize } from './format-units.ts'

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

test('formats sizes in a suitable unit, with a decimal only below 10', () => {
  const sizes = [0, 999, 999_499, 999_600, 1_234_567_890, 9_949_999, 9_960_000, 12_345_678, 2.5e12]
  const formatted = sizes.map((bytes) => plain(formatSize(bytes, 'en'))).join()
  expect(formatted).toBe('0 bytes,999 bytes,999 kB,1 MB,1.2 GB,9.9 MB,10 MB,12 MB,2.5 TB')
  expect(plain(formatSize(1_234_567_890, 'de'))).toBe('1,2 GB')
})

test('rounds durations', () => {
  const seconds = [0, 7, 89, 91, 3_000, 5_399, 5_400, 9_000]
  const formatted = seconds.map((one) => plain(formatDuration(one, 'en'))).join()
  expect(formatted).toBe('5 seconds,10 seconds,90 seconds,2 minutes,50 minutes,90 minutes,1.5 hours,2.5 hours')
})
