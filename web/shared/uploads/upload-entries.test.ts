import { expect, test } from 'vitest'
import { computeTotals, createWorkers, type UploadEntry, type UploadState } from './upload-entries.ts'

const entry = (state: UploadState, changes: Partial<UploadEntry> = {}): UploadEntry => {
  return { id: 1, key: 'a', name: 'a.jpg', size: 100, state, sentBytes: 0, reason: null, ...changes }
}

test('excludes files that are left out, failed or canceled, and counts known files without bytes', () => {
  const entries = [
    entry('added'),
    entry('sending', { sentBytes: 40 }),
    entry('finishing', { sentBytes: 100 }),
    entry('waiting'),
    entry('known'),
    entry('leftOut'),
    entry('failed'),
    entry('cancelled', { sentBytes: 70 }),
  ]
  expect(computeTotals(entries)).toEqual({ files: 5, done: 2, bytes: 400, sentBytes: 240, isActive: true })
  expect(computeTotals([entry('added'), entry('known'), entry('failed')]).isActive).toBe(false)
})

test('works on a limited number of entries at a time, and on new entries when it is called again', async () => {
  const queue = [1, 2, 3]
  const begun: number[] = []
  const gates = new Map<number, () => void>()
  const start = createWorkers(
    2,
    () => queue.shift(),
    (entry: number) => {
      begun.push(entry)
      return new Promise((resolve) => gates.set(entry, resolve))
    },
  )
  const finish = async (entry: number) => {
    gates.get(entry)?.()
    await new Promise((resolve) => setTimeout(resolve))
  }
  start()
  expect(begun).toEqual([1, 2])
  await finish(1)
  expect(begun).toEqual([1, 2, 3])
  await finish(2)
  await finish(3)
  queue.push(4)
  start()
  expect(begun).toEqual([1, 2, 3, 4])
})
