import type { CompletedGuestUpload, InitUploadReply, UploadStatus } from '../../../contract/chunked-uploads.ts'
import type { GuestUpload } from '../../../contract/uploads.ts'
import { call, Refused } from '../state/api.ts'
import { judgeReadable } from './judge-readable.ts'
import { forgetSession, type KeptSession, keepSession, keptSession } from './kept-sessions.ts'
import { GivenUp, type Persistence, persist } from './persist.ts'
import { postBytes } from './post-bytes.ts'
import { keyOf, sentName } from './upload-file-rules.ts'

export type FileSending = Persistence & {
  /** Of the bytes of this file; may go back when something has to be sent again. */
  onProgress: (sentBytes: number) => void
}

type Session = KeptSession & { chunks: number; missing: number[] }

const answerMs = 180_000

/**
 * Brings a file in pieces, several at once, each again until it is there. What is there stays there: after a lost line,
 * a failure or a reload the pieces that are missing are sent, as long as the service keeps the others (a day). Small
 * files, too, come so: when an answer is lost, each step can be asked for once more without making a second photo, also
 * by the browser itself, which sends a form again when a connection breaks. Throws GivenUp and what cancels it.
 */
export async function sendFile(file: File, sending: FileSending): Promise<Pick<GuestUpload, 'id' | 'visibility'>> {
  const key = keyOf(file)
  const session = (await resume(file, sending)) ?? (await begin(file, sending))
  keepSession(key, session)
  for (;;) {
    try {
      await sendMissing(file, session, sending)
      const { photos } = await persist(sending, () => complete(session, sending.cancelled))
      forgetSession(key)
      return photos[0] as GuestUpload
    } catch (error) {
      if (isMissing(error)) session.missing = await missingOf(session, sending)
      else {
        const isOver =
          error instanceof GivenUp && (error.verdict.kind === 'refused' || error.verdict.reason === 'closed')
        if (isOver || sending.cancelled.aborted) forgetSession(key)
        // What is left behind is swept away in a day, when this does not arrive.
        if (sending.cancelled.aborted) call(`${base}/${session.id}`, { method: 'DELETE' }).catch(() => undefined)
        throw error
      }
    }
  }
}

const base = '/chunked-upload'
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
const soon = (cancelled: AbortSignal): AbortSignal => AbortSignal.any([cancelled, AbortSignal.timeout(answerMs)])

async function begin(file: File, sending: FileSending): Promise<Session> {
  const body = { filename: sentName(file), fileSize: file.size }
  const begun = await persist(sending, () =>
    call<typeof InitUploadReply>(`${base}/init`, { body, signal: soon(sending.cancelled) }),
  )
  const { uploadId: id, chunkSize: chunkBytes, expectedChunks: chunks } = begun
  return { id, chunkBytes, chunks, missing: range(chunks) }
}

/** What was begun before, where the service still has it; null otherwise. */
async function resume(file: File, sending: FileSending): Promise<Session | null> {
  const kept = keptSession(keyOf(file))
  if (kept === null) return null
  const { id, chunkBytes } = kept
  const status = await persist(sending, () => statusOf(id, sending.cancelled))
  if (status === null || status.status === 'failed' || status.fileSize !== file.size) return null
  const chunks = status.expectedChunks
  const there = new Set(status.receivedIndexes)
  const missing = status.status === 'in_progress' ? range(chunks).filter((index) => !there.has(index)) : []
  return { id, chunkBytes, chunks, missing }
}

/** Null where there is no such session any more. */
const statusOf = (id: string, cancelled: AbortSignal) =>
  call<typeof UploadStatus>(`${base}/${id}/status`, { signal: soon(cancelled) }).catch((error) => {
    if (error instanceof Refused && error.status === 404) return null
    throw error
  })

async function missingOf({ id, chunks }: Session, sending: FileSending): Promise<number[]> {
  const there = new Set((await persist(sending, () => statusOf(id, sending.cancelled)))?.receivedIndexes)
  return range(chunks).filter((index) => !there.has(index))
}

const complete = (session: Session, cancelled: AbortSignal) =>
  call<typeof CompletedGuestUpload>(`${base}/${session.id}/complete`, { body: {}, signal: soon(cancelled) }).catch(
    (error) => {
      throw error instanceof Refused && error.code === 'MISSING_CHUNKS' ? new MissingChunks() : error
    },
  )

class MissingChunks extends Error {}
const isMissing = (error: unknown): boolean => error instanceof MissingChunks

/** Few at a time: what a lost line or a pause breaks off is sent again from its beginning. */
const piecesAtOnce = 2

async function sendMissing(file: File, session: Session, sending: FileSending): Promise<void> {
  const { id, chunkBytes, chunks } = session
  const sent = new Map<number, number>()
  const sizeOf = (index: number) => Math.min(file.size, (index + 1) * chunkBytes) - index * chunkBytes
  const missing = new Set(session.missing)
  for (const index of range(chunks)) if (!missing.has(index)) sent.set(index, sizeOf(index))
  const note = (index: number, bytes: number) => {
    sent.set(index, Math.min(bytes, sizeOf(index)))
    sending.onProgress([...sent.values()].reduce((total, one) => total + one, 0))
  }
  const { line } = sending
  const ending = new AbortController()
  const cancelled = AbortSignal.any([sending.cancelled, ending.signal])
  const sendChunk = (index: number) =>
    persist({ ...sending, cancelled }, async () => {
      const piece = file.slice(index * chunkBytes, index * chunkBytes + sizeOf(index))
      const posting = { cancelled, running: line.running, onProgress: (bytes: number) => note(index, bytes) }
      await postBytes(`${base}/${id}/chunk/${index}`, piece, posting).catch(async (error) => {
        note(index, 0)
        await judgeReadable(file, error)
        throw error
      })
      note(index, sizeOf(index))
      missing.delete(index)
    })
  const queue = [...session.missing]
  const sendSome = async () => {
    for (let index = queue.shift(); index !== undefined; index = queue.shift()) await sendChunk(index)
  }
  try {
    await Promise.all(range(piecesAtOnce).map(sendSome))
  } finally {
    // When one piece is not taken, the others need not go on.
    ending.abort()
    session.missing = [...missing]
  }
}
