import { anySignal } from './any-signal.ts'
import { assertReadable } from './assert-readable.ts'
import { GivenUp, type Persistence, persist } from './persist.ts'
import type { Posting } from './post-bytes.ts'

/** The service stores the received chunks of a session for a day. */
export type UploadSession = { id: string; chunkBytes: number }

type Begun = { uploadId: string; chunkSize: number; expectedChunks: number }
type Status = { status: string; fileSize: number; receivedIndexes: readonly number[]; expectedChunks: number }

/** The upload API of one file, of a guest or of an operator. `toUploadProblem` converts its errors. */
export type UploadDoor<Photo> = {
  begin: (signal: AbortSignal) => Promise<Begun>
  status: (id: string, signal: AbortSignal) => Promise<Status | null>
  sendChunk: (id: string, index: number, piece: Blob, posting: Posting) => Promise<void>
  /** Throws MissingChunks. */
  complete: (id: string, signal: AbortSignal) => Promise<Photo>
  /** If this request is lost, the service removes the session after a day. */
  abort: (id: string) => void
  kept: () => UploadSession | null
  keep: (session: UploadSession | null) => void
  /** Keep it small: interrupted chunks are sent again from their start. */
  chunksAtOnce: number
}

export class MissingChunks extends Error {}

export type FileSending = Persistence & {
  /** `sentBytes` may decrease when something has to be sent again. */
  onProgress: (sentBytes: number) => void
}

type Session = UploadSession & { chunks: number; missing: number[] }

const answerMs = 180_000

/**
 * Uploads a file in chunks. It resumes after a lost connection, a failure or a reload, as long as the service keeps the
 * session (a day). Throws UploadFailed and the reason of `cancelled`.
 *
 * Small files also use chunks: every step can be repeated without creating a second photo, even by a browser that
 * resends a request.
 */
export async function sendFile<Photo>(file: File, door: UploadDoor<Photo>, sending: FileSending): Promise<Photo> {
  let session = (await resume(file, door, sending)) ?? (await begin(door, sending))
  let isLost = false
  for (;;) {
    try {
      await sendMissing(file, session, door, sending)
      const photo = await persist(sending, () => door.complete(session.id, soon(sending.cancelled)))
      door.keep(null)
      return photo
    } catch (error) {
      if (error instanceof MissingChunks) session.missing = await missingOf(session, door, sending)
      else if (isGone(error) && !isLost) {
        isLost = true
        sending.onProgress(0)
        session = await begin(door, sending)
      } else {
        if (isOver(error) || sending.cancelled.aborted) door.keep(null)
        if (sending.cancelled.aborted) door.abort(session.id)
        throw error
      }
    }
  }
}

/** The session has expired, or its event is gone. A new session shows which. */
const isGone = (error: unknown): boolean => error instanceof GivenUp && error.problem?.status === 404
const isOver = (error: unknown): boolean =>
  error instanceof GivenUp && (error.verdict.kind === 'refused' || error.verdict.reason === 'closed')

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
const soon = (cancelled: AbortSignal): AbortSignal => anySignal([cancelled, AbortSignal.timeout(answerMs)])

async function begin<Photo>(door: UploadDoor<Photo>, sending: FileSending): Promise<Session> {
  const begun = await persist(sending, () => door.begin(soon(sending.cancelled)))
  const { uploadId: id, chunkSize: chunkBytes, expectedChunks: chunks } = begun
  door.keep({ id, chunkBytes })
  return { id, chunkBytes, chunks, missing: range(chunks) }
}

async function resume<Photo>(file: File, door: UploadDoor<Photo>, sending: FileSending): Promise<Session | null> {
  const kept = door.kept()
  if (kept === null) return null
  const status = await persist(sending, () => door.status(kept.id, soon(sending.cancelled)))
  if (status === null || status.status === 'failed' || status.fileSize !== file.size) return null
  const chunks = status.expectedChunks
  const there = new Set(status.receivedIndexes)
  const missing = status.status === 'in_progress' ? range(chunks).filter((index) => !there.has(index)) : []
  return { ...kept, chunks, missing }
}

async function missingOf<Photo>({ id, chunks }: Session, door: UploadDoor<Photo>, sending: FileSending) {
  const status = await persist(sending, () => door.status(id, soon(sending.cancelled)))
  const there = new Set(status?.receivedIndexes)
  return range(chunks).filter((index) => !there.has(index))
}

async function sendMissing<Photo>(
  file: File,
  session: Session,
  door: UploadDoor<Photo>,
  sending: FileSending,
): Promise<void> {
  const { id, chunkBytes, chunks } = session
  const sizeOf = (index: number) => Math.min(file.size, (index + 1) * chunkBytes) - index * chunkBytes
  const missing = new Set(session.missing)
  const sent = new Map(range(chunks).flatMap((index) => (missing.has(index) ? [] : [[index, sizeOf(index)] as const])))
  const reportProgress = () => sending.onProgress([...sent.values()].reduce((total, one) => total + one, 0))
  if (sent.size > 0) reportProgress()
  const note = (index: number, bytes: number) => {
    sent.set(index, Math.min(bytes, sizeOf(index)))
    reportProgress()
  }
  const { line } = sending
  const ending = new AbortController()
  const cancelled = anySignal([sending.cancelled, ending.signal])
  const sendChunk = (index: number) =>
    persist({ ...sending, cancelled }, async () => {
      const piece = file.slice(index * chunkBytes, index * chunkBytes + sizeOf(index))
      const posting = { cancelled, running: line.running, onProgress: (bytes: number) => note(index, bytes) }
      await door.sendChunk(id, index, piece, posting).catch(async (error) => {
        note(index, 0)
        await assertReadable(file, error)
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
    await Promise.all(range(door.chunksAtOnce).map(sendSome))
  } finally {
    // When one chunk fails, the others stop.
    ending.abort()
    session.missing = [...missing]
  }
}
