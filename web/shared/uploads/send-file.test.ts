import { expect, test } from 'vitest'
import { MissingChunks, sendFile, type UploadAdapter } from './send-file.ts'
import { UploadScheduler } from './upload-scheduler.ts'

const chunkBytes = 10
const file = new File(['0123456789', 'abcdefghij', 'klm'], 'ana.jpg')

type Status = Awaited<ReturnType<UploadAdapter<string>['status']>>
type Further = { storedSession?: string; status?: Partial<NonNullable<Status>>; failsFirst?: boolean }

/** An adapter that records what is sent. `storedSession` is the id of a session that was started before. */
function openUploadAdapter({ storedSession, status = {}, failsFirst = false }: Further = {}) {
  const sent: string[] = []
  const progress: number[] = []
  let completed = 0
  const adapter: UploadAdapter<string> = {
    begin: async () => {
      sent.push('begin')
      return { uploadId: 'new', chunkSize: chunkBytes, expectedChunks: 3 }
    },
    status: async () => ({
      status: 'in_progress',
      fileSize: file.size,
      receivedIndexes: [1, 2],
      expectedChunks: 3,
      ...status,
    }),
    sendChunk: async (id, index, piece) => {
      sent.push(`${id} ${index} ${await piece.text()}`)
    },
    complete: async (id) => {
      completed++
      if (failsFirst && completed === 1) throw new MissingChunks()
      return `photo of ${id}`
    },
    abort: () => undefined,
    storedSession: () => (storedSession === undefined ? null : { id: storedSession, chunkBytes }),
    saveSession: () => undefined,
    maxConcurrentChunks: 1,
  }
  const options = {
    scheduler: new UploadScheduler(1),
    cancelled: new AbortController().signal,
    toUploadProblem: (error: unknown) => {
      throw error
    },
    onTrouble: () => undefined,
    onProgress: (bytes: number) => void progress.push(bytes),
  }
  return { sent, progress, send: () => sendFile(file, adapter, options) }
}

test('sends a file in chunks, the last one shorter', async () => {
  const { send, sent, progress } = openUploadAdapter()
  expect(await send()).toBe('photo of new')
  expect(sent).toEqual(['begin', 'new 0 0123456789', 'new 1 abcdefghij', 'new 2 klm'])
  expect(progress.at(-1)).toBe(file.size)
})

test('sends only the missing chunks of a file that was started before', async () => {
  const { send, sent, progress } = openUploadAdapter({ storedSession: 'old' })
  expect(await send()).toBe('photo of old')
  expect(sent).toEqual(['old 0 0123456789'])
  expect(progress[0]).toBe(13)
})

test('does not continue a failed session or a session of another file size', async () => {
  for (const status of [{ fileSize: file.size + 1 }, { status: 'failed' }]) {
    const { send, sent } = openUploadAdapter({ storedSession: 'old', status })
    expect(await send()).toBe('photo of new')
    expect(sent).toHaveLength(4)
  }
})

test('sends chunks again that the service lacks when the upload is completed', async () => {
  const { send, sent } = openUploadAdapter({ failsFirst: true })
  expect(await send()).toBe('photo of new')
  expect(sent.slice(4)).toEqual(['new 0 0123456789'])
})
