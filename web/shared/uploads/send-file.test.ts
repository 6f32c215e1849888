import { expect, test } from 'vitest'
import { MissingChunks, sendFile, type UploadDoor } from './send-file.ts'
import { UploadLine } from './upload-line.ts'

const chunkBytes = 10
const file = new File(['0123456789', 'abcdefghij', 'klm'], 'ana.jpg')

type Status = Awaited<ReturnType<UploadDoor<string>['status']>>
type Further = { kept?: string; status?: Partial<NonNullable<Status>>; losesFirst?: boolean }

/** An adapter that records what is sent. The session `storedSession` was started before. */
function openDoor({ kept, status = {}, losesFirst = false }: Further = {}) {
  const sent: string[] = []
  const progress: number[] = []
  let completed = 0
  const door: UploadDoor<string> = {
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
      if (losesFirst && completed === 1) throw new MissingChunks()
      return `photo of ${id}`
    },
    abort: () => undefined,
    kept: () => (kept === undefined ? null : { id: kept, chunkBytes }),
    keep: () => undefined,
    chunksAtOnce: 1,
  }
  const sending = {
    line: new UploadLine(1),
    cancelled: new AbortController().signal,
    problemIn: (error: unknown) => {
      throw error
    },
    onTrouble: () => undefined,
    onProgress: (bytes: number) => void progress.push(bytes),
  }
  return { sent, progress, send: () => sendFile(file, door, sending) }
}

test('sends a file in chunks, the last one shorter', async () => {
  const { send, sent, progress } = openDoor()
  expect(await send()).toBe('photo of new')
  expect(sent).toEqual(['begin', 'new 0 0123456789', 'new 1 abcdefghij', 'new 2 klm'])
  expect(progress.at(-1)).toBe(file.size)
})

test('sends only the missing chunks of a file that was started before', async () => {
  const { send, sent, progress } = openDoor({ kept: 'old' })
  expect(await send()).toBe('photo of old')
  expect(sent).toEqual(['old 0 0123456789'])
  expect(progress[0]).toBe(13)
})

test('does not continue a session of another size or one that failed', async () => {
  for (const status of [{ fileSize: file.size + 1 }, { status: 'failed' }]) {
    const { send, sent } = openDoor({ kept: 'old', status })
    expect(await send()).toBe('photo of new')
    expect(sent).toHaveLength(4)
  }
})

test('sends chunks again that the service lacks at the end', async () => {
  const { send, sent } = openDoor({ losesFirst: true })
  expect(await send()).toBe('photo of new')
  expect(sent.slice(4)).toEqual(['new 0 0123456789'])
})
