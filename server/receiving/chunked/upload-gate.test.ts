import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { catchAppErrorAsync } from '../../../tests/support/clients/app-errors.ts'
import { createUploadGate } from './upload-gate.ts'

function controlledWork() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { work: () => promise, end: resolve }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))
const body = () => new PassThrough()

test('while an upload is being completed reports that, and rejects chunks of this upload only', async () => {
  const gate = createUploadGate()
  const { work, end } = controlledWork()
  expect(gate.isCompleting('a')).toBe(false)
  const completing = gate.complete('a', work)
  await settled()
  expect([gate.isCompleting('a'), gate.isCompleting('b')]).toEqual([true, false])
  const appError = await catchAppErrorAsync(() => gate.send('a', 0, body(), async () => 'sent'))
  expect(appError).toMatchObject({ code: 'INVALID_STATE', message: 'The upload is being completed.' })
  expect(await gate.send('b', 0, body(), async () => 'sent')).toBe('sent')
  end()
  await completing
  expect(gate.isCompleting('a')).toBe(false)
  expect(await gate.send('a', 0, body(), async () => 'sent')).toBe('sent')
})

test('while an upload is being completed ends also after a completion that fails', async () => {
  const gate = createUploadGate()
  const failing = gate.complete('a', async () => Promise.reject(new Error('no photo')))
  await expect(failing).rejects.toThrow('no photo')
  expect(gate.isCompleting('a')).toBe(false)
})

test('while an upload is being completed makes a second completion and an abort of the same upload wait', async () => {
  const gate = createUploadGate()
  const { work, end } = controlledWork()
  const done: string[] = []
  const all = [
    gate.complete('a', work).then(() => done.push('first')),
    gate.complete('a', async () => done.push('second')),
    gate.abort('a', async () => done.push('abort')),
    gate.abort('b', async () => done.push('other')),
  ]
  await settled()
  expect(done).toEqual(['other'])
  end()
  await Promise.all(all)
  expect(done.slice(1).sort()).toEqual(['abort', 'first', 'second'])
  expect(done.indexOf('second')).toBeLessThan(done.indexOf('abort'))
})

const sendingIndexes = (gate: ReturnType<typeof createUploadGate>, uploadId: string) =>
  gate.complete(uploadId, async (indexes) => [...indexes].sort())

test('the chunks that are being sent are known to the completion of their upload until the last request of each ends', async () => {
  const gate = createUploadGate()
  const [first, second, again] = [controlledWork(), controlledWork(), controlledWork()]
  const sends = [
    gate.send('a', 1, body(), first.work),
    gate.send('a', 2, body(), second.work),
    gate.send('a', 1, body(), again.work),
  ]
  expect(await sendingIndexes(gate, 'a')).toEqual([1, 2])
  expect(await sendingIndexes(gate, 'b')).toEqual([])
  first.end()
  await sends[0]
  expect(await sendingIndexes(gate, 'a')).toEqual([1, 2])
  second.end()
  await sends[1]
  expect(await sendingIndexes(gate, 'a')).toEqual([1])
  again.end()
  await sends[2]
  expect(await sendingIndexes(gate, 'a')).toEqual([])
})

test('the chunks that are being sent include none whose request has failed', async () => {
  const gate = createUploadGate()
  await expect(gate.send('a', 1, body(), async () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await sendingIndexes(gate, 'a')).toEqual([])
})

test('the chunks that are being sent run one after another when they are copies of one chunk', async () => {
  const gate = createUploadGate()
  const { work, end } = controlledWork()
  const done: string[] = []
  const sends = [
    gate.send('a', 1, body(), work),
    gate.send('a', 1, body(), async () => done.push('copy')),
    gate.send('a', 2, body(), async () => done.push('other chunk')),
    gate.send('b', 1, body(), async () => done.push('other upload')),
  ]
  await settled()
  expect(done).toEqual(['other chunk', 'other upload'])
  end()
  await Promise.all(sends)
  expect(done).toEqual(['other chunk', 'other upload', 'copy'])
})

describe('a request without a byte', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Starts a request and, unless `hasCopy` is false, another request for the same chunk, which waits. */
  async function sendOf({ hasCopy = true } = {}) {
    const gate = createUploadGate()
    const stream = body()
    const { promise, resolve } = Promise.withResolvers<void>()
    let onByte = () => {}
    const first = gate.send('a', 1, stream, (notify) => {
      onByte = notify
      return promise
    })
    const copy = hasCopy ? gate.send('a', 1, body(), async () => 'copied') : null
    await settled()
    return { gate, stream, onByte: () => onByte(), finish: resolve, ended: Promise.all([first, copy]) }
  }

  test('for more than 5 seconds is ended for its copy, checked each second', async () => {
    const { stream, finish, ended } = await sendOf()
    vi.advanceTimersByTime(5000)
    expect(stream.destroyed).toBe(false)
    vi.advanceTimersByTime(1000)
    expect(stream.destroyed).toBe(true)
    finish()
    expect(await ended).toEqual([undefined, 'copied'])
  })

  test('continues when a byte has arrived', async () => {
    const { stream, onByte, finish, ended } = await sendOf()
    vi.advanceTimersByTime(4000)
    onByte()
    vi.advanceTimersByTime(5000)
    expect(stream.destroyed).toBe(false)
    vi.advanceTimersByTime(1000)
    expect(stream.destroyed).toBe(true)
    finish()
    await ended
  })

  test('continues when its body has been read to the end', async () => {
    const { stream, finish, ended } = await sendOf()
    stream.end()
    stream.resume()
    await settled()
    await settled()
    expect(stream.readableEnded).toBe(true)
    const destroy = vi.spyOn(stream, 'destroy')
    vi.advanceTimersByTime(20_000)
    expect(destroy).not.toHaveBeenCalled()
    finish()
    await ended
  })

  test('continues when no copy waits', async () => {
    const { stream, finish, ended } = await sendOf({ hasCopy: false })
    vi.advanceTimersByTime(20_000)
    expect(stream.destroyed).toBe(false)
    finish()
    await ended
    expect(vi.getTimerCount()).toBe(0)
  })

  test('is not checked once its copy runs', async () => {
    const { gate, finish, ended } = await sendOf()
    const { work, end } = controlledWork()
    finish()
    await ended
    const next = body()
    const running = gate.send('a', 1, next, work)
    await settled()
    vi.advanceTimersByTime(20_000)
    expect(next.destroyed).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
    end()
    await running
  })
})
