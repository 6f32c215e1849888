import { expect, test } from 'vitest'
import { parseVideoResult } from './parse-video-result.ts'

const facts = { width: 64, height: 48, duration: 2.5, capturedAt: 1_600_000_000_000 }
const write = (result: unknown) => `ready\n${JSON.stringify(result)}\n`

test('reads the result of a worker', () => {
  expect(parseVideoResult(write({ outcome: 'made', facts }))).toEqual({ outcome: 'made', facts })
  const unknown = { ...facts, duration: null, capturedAt: null }
  expect(parseVideoResult(write({ outcome: 'made', facts: unknown }))).toEqual({ outcome: 'made', facts: unknown })
  const rejection = { outcome: 'rejected', rejection: 'cut' }
  expect(parseVideoResult(write(rejection))).toEqual(rejection)
  const explained = { outcome: 'rejected', rejection: 'unsupported', reason: 'An overlay' }
  expect(parseVideoResult(write(explained))).toEqual(explained)
  expect(parseVideoResult(write({ outcome: 'diskFull' }))).toEqual({ outcome: 'diskFull' })
})

test.each([
  ['nothing', ''],
  ['no line of a start', JSON.stringify({ outcome: 'diskFull' })],
  ['a start without a result', 'ready\n'],
  ['a result that is cut off', 'ready\n{"outcome":"dis'],
  ['a number out of bounds', write({ outcome: 'made', facts: { ...facts, width: 1e9 } })],
  ['a fraction of a pixel', write({ outcome: 'made', facts: { ...facts, width: 64.5 } })],
  ['more than a result', write({ outcome: 'made', facts: { ...facts, path: '/etc' } })],
  ['a long reason', write({ outcome: 'rejected', rejection: 'size', reason: 'x'.repeat(201) })],
  ['an unknown rejection', write({ outcome: 'rejected', rejection: '<script>' })],
])('does not accept %s', (_what, text) => {
  expect(parseVideoResult(text)).toBeNull()
})
