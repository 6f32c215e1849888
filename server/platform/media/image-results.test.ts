import { expect, test } from 'vitest'
import { isDiskFull, isMemoryRequest, isTaskResult } from './image-results.ts'
import type { LocationTask, MeasureTask } from './image-tasks.ts'

const measure: MeasureTask = { kind: 'measure', sourcePath: '/file' }
const locate: LocationTask = { kind: 'location', sourcePath: '/file' }
const located = (patches: unknown) => ({ outcome: 'made', facts: { location: { patches, crc32Change: 1 } } })

test('a message of a worker is a result only with the facts of its task', () => {
  expect(isTaskResult(measure, { outcome: 'made', facts: { width: 60, height: 40 } })).toBe(true)
  expect(isTaskResult(locate, { outcome: 'made', facts: { width: 60, height: 40 } })).toBe(false)
  expect(isTaskResult(measure, { outcome: 'made', facts: { width: 60, height: 40, path: '/etc' } })).toBe(false)
  expect(isTaskResult(measure, { outcome: 'made', facts: { width: 6e9, height: 40 } })).toBe(false)
  for (const message of [null, undefined, 'granted', 7, {}, []]) expect(isTaskResult(measure, message)).toBe(false)
})

test('a message of a worker may have only patches that can be applied', () => {
  for (const patches of ['[]', '[[0,"QUJD"]]', '[[12,"QQ=="],[99,4000,32]]']) {
    expect(isTaskResult(locate, located(patches)), patches).toBe(true)
  }
  const wrong = ['', '{}', '[[-1,"QQ=="]]', '[[0,99999999999,0]]', '[[0,"<>"]]', `[${' '.repeat(70_000)}]`]
  for (const patches of wrong) expect(isTaskResult(locate, located(patches)), patches.slice(0, 30)).toBe(false)
})

test('a message of a worker may ask for memory, but not for less than none', () => {
  for (const requestedBytes of [0, 1e6, Number.POSITIVE_INFINITY])
    expect(isMemoryRequest({ requestedBytes })).toBe(true)
  for (const requestedBytes of [Number.NaN, -1, '1']) expect(isMemoryRequest({ requestedBytes })).toBe(false)
  expect([isMemoryRequest(null), isDiskFull(null), isDiskFull({ outcome: 'made' })]).toEqual([false, false, false])
  expect(isDiskFull({ outcome: 'diskFull' })).toBe(true)
})
