import { anySignal } from './any-signal.ts'
import { assertReadable } from './assert-readable.ts'
import { GivenUp, type Persistence, persist } from './persist.ts'
import type { Posting } from './post-bytes.ts'

/** A file begun at the service, which keeps what has come for a day. */
export type UploadSession = { id: string; chunkBytes: number }

type Begun = { uploadId: string; chunkSize: number; expectedChunks: number }
type Status = { status: string; fileSize: number; receivedIndexes: readonly number[]; expectedChunks: number }

/** The way of one file into an event: of a guest or of an operator. Its calls throw what `problemIn` checks. */
export type UploadDoor<Photo> = {
  begin: (signal: AbortSignal) => Promise<Begun>
  /** Null where there is no such session any more. */
  status: (id: string, signal: AbortSignal) => Promise<Status | null>
  sendChunk: (id: string, index: number, piece: Blob, posting: Posting) => Promise<void>
  /** Throws MissingChunks. */
  complete: (id: string, signal: AbortSignal) => Promise<Photo>
  /** What is left behind is swept away in a day, when this does not arrive. */
  abort: (id: string) => void
  /** Begun before, in this page or an earlier one. */
  kept: () => UploadSession | null
  keep: (session: UploadSession | null) => void
  /** Few: what a lost line or a pause breaks off is sent again from its beginning. */
  chunksAtOnce: number
}

/** Some chunks have to be sent before a photo can be made of them. */
export class MissingChunks extends Error {}

export type FileSending = Persistence & {
  /** Of the bytes of this file; may go back when something has to be sent again. */
  onProgress: (sentBytes: number) => void
}

type Session = UploadSession & { chunks: number; missing: number[] }

const answerMs = 180_000

/**
 * Brings a file in pieces, several at once, each again until it is there. What is there stays there: after a lost line,
 * a failure or a reload the pieces that are missing are sent, as long as the service keeps the others (a day); after that
 * it begins anew. Small files, too, come so: when an answer is lost, each step can be asked for once more without making
 * a second photo, also by the browser itself, which sends a form again when a connection breaks. Throws GivenUp and what
 * cancels it.
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

/** Over a day old, or its event is gone: who begins anew learns which. */
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

/** What was begun before, where the service still has it; null otherwise. */
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
  const tell = () => sending.onProgress([...sent.values()].reduce((total, one) => total + one, 0))
  if (sent.size > 0) tell()
  const note = (index: number, bytes: number) => {
    sent.set(index, Math.min(bytes, sizeOf(index)))
    tell()
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
    // When one piece is not taken, the others need not go on.
    ending.abort()
    session.missing = [...missing]
  }
}
