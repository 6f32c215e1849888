import { afterEach, expect, test, vi } from 'vitest'
import { memoryDatabase } from '../../../tests/support/database/memory-database.ts'
import { addUpload } from '../../../tests/support/database/upload-rows.ts'
import { holdChunks } from './complete-upload.ts'
import type { UploadsContext } from './upload-gate.ts'
import type { UploadRow } from './upload-rows.ts'

const start = 1_000_000

async function uploadOn(kind: 'sqlite' | 'postgres', status: UploadRow['status'] = 'in_progress') {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const { db, sqlite } = await memoryDatabase()
  const upload = await addUpload(db, { id: 'a', status })
  await addUpload(db, { id: 'b' })
  let now = start
  const warn = vi.fn()
  const ctx = { db, database: { kind }, clock: { now: () => now }, log: { warn } } as unknown as UploadsContext
  const until = () => sqlite.prepare('select completing_until from chunked_uploads order by id').pluck().all()
  const pass = async (ms: number) => {
    now += ms
    await vi.advanceTimersByTimeAsync(ms)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { ctx, upload, until, pass, warn, sqlite }
}

afterEach(() => {
  vi.useRealTimers()
})

test('holds the chunks of an upload for 15 seconds, and renews this every 5 seconds while its photo is made', async () => {
  const { ctx, upload, until, pass, warn } = await uploadOn('postgres')
  const made = await holdChunks(ctx, upload, async () => {
    expect(until()).toEqual([start + 15_000, 0])
    await pass(4_999)
    expect(until()).toEqual([start + 15_000, 0])
    await pass(1)
    expect(until()).toEqual([start + 20_000, 0])
    await pass(5_000)
    expect(until()).toEqual([start + 25_000, 0])
    return 'photo'
  })
  expect(made).toBe('photo')
  expect(until()).toEqual([0, 0])
  expect(vi.getTimerCount()).toBe(0)
  expect(warn).not.toHaveBeenCalled()
})

test('releases the chunks when no photo can be made', async () => {
  const { ctx, upload, until } = await uploadOn('postgres')
  await expect(holdChunks(ctx, upload, async () => Promise.reject(new Error('no photo')))).rejects.toThrow('no photo')
  expect(until()).toEqual([0, 0])
  expect(vi.getTimerCount()).toBe(0)
})

test.each([
  ['postgres', 'completed'],
  ['sqlite', 'in_progress'],
] as const)('on %s an upload that is %s is not changed', async (kind, status) => {
  const { ctx, upload, until } = await uploadOn(kind, status)
  const made = await holdChunks(ctx, upload, async () => [until(), vi.getTimerCount()])
  expect(made).toEqual([[0, 0], kind === 'sqlite' ? 0 : 1])
})

test('logs a database that fails during the work, and returns the photo', async () => {
  const { ctx, upload, pass, warn, sqlite } = await uploadOn('postgres')
  const made = await holdChunks(ctx, upload, async () => {
    sqlite.exec('drop table chunked_uploads')
    await pass(5_000)
    expect(warn).toHaveBeenCalledTimes(1)
    return 'photo'
  })
  expect(made).toBe('photo')
  expect(warn).toHaveBeenCalledTimes(2)
  const message = 'Could not renew the hold on the chunks of an upload'
  expect(warn).toHaveBeenLastCalledWith({ err: expect.objectContaining({ message: expect.any(String) }) }, message)
})
