import { anySignal } from './any-signal.ts'
import type { PostOptions } from './post-bytes.ts'
import { NoResponse, type RetryOptions, retryUntilDone, UploadFailed } from './retry.ts'

/** The service stores the received chunks of a session for a day. */
export type UploadSession = { id: string; chunkBytes: number }

type StartedSession = { uploadId: string; chunkSize: number; expectedChunks: number }
type Status = { status: string; fileSize: number; receivedIndexes: readonly number[]; expectedChunks: number }

/** The upload requests for one file, of a guest or an operator. `toUploadProblem` converts their errors. */
export type UploadAdapter<Photo> = {
  begin: (signal: AbortSignal) => Promise<StartedSession>
  status: (id: string, signal: AbortSignal) => Promise<Status | null>
  sendChunk: (id: string, index: number, piece: Blob, postOptions: PostOptions) => Promise<void>
  /** Throws MissingChunks when the service lacks chunks. */
  complete: (id: string, signal: AbortSignal) => Promise<Photo>
  /** If this request is lost, the service removes the session after a day. */
  abort: (id: string) => void
  storedSession: () => UploadSession | null
  saveSession: (session: UploadSession | null) => void
  /** Keep it small: interrupted chunks are sent again from their start. */
  maxConcurrentChunks: number
}

export class MissingChunks extends Error {}

export type SendFileOptions = RetryOptions & {
  /** `sentBytes` decreases when a chunk has to be sent again. */
  onProgress: (sentBytes: number) => void
}

type Session = UploadSession & { chunks: number; missing: number[] }

/** The service decodes large pictures before it responds. */
const responseTimeoutMs = 180_000

/**
 * Uploads a file in chunks, and resumes a stored session. Throws what `retryUntilDone` throws.
 * Small files use chunks too, because then every request can be repeated without creating a second photo.
 */
export async function sendFile<Photo>(
  file: File,
  adapter: UploadAdapter<Photo>,
  options: SendFileOptions,
): Promise<Photo> {
  let session = (await resume(file, adapter, options)) ?? (await begin(adapter, options))
  let hasRestarted = false
  for (;;) {
    try {
      await sendMissing(file, session, adapter, options)
      const photo = await retryUntilDone(options, () => adapter.complete(session.id, withTimeout(options.cancelled)))
      adapter.saveSession(null)
      return photo
    } catch (error) {
      if (error instanceof MissingChunks) session.missing = await loadMissing(session, adapter, options)
      else if (isSessionGone(error) && !hasRestarted) {
        hasRestarted = true
        options.onProgress(0)
        session = await begin(adapter, options)
      } else {
        if (isPermanentFailure(error) || options.cancelled.aborted) adapter.saveSession(null)
        if (options.cancelled.aborted) adapter.abort(session.id)
        throw error
      }
    }
  }
}

/** The session has expired, or its event is gone. In the second case a new session fails too. */
const isSessionGone = (error: unknown): boolean => error instanceof UploadFailed && error.problem?.status === 404
const isPermanentFailure = (error: unknown): boolean =>
  error instanceof UploadFailed && (error.decision.kind === 'rejected' || error.decision.reason === 'closed')

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
const withTimeout = (cancelled: AbortSignal): AbortSignal =>
  anySignal([cancelled, AbortSignal.timeout(responseTimeoutMs)])

async function begin<Photo>(adapter: UploadAdapter<Photo>, options: SendFileOptions): Promise<Session> {
  const started = await retryUntilDone(options, () => adapter.begin(withTimeout(options.cancelled)))
  const { uploadId: id, chunkSize: chunkBytes, expectedChunks: chunks } = started
  adapter.saveSession({ id, chunkBytes })
  return { id, chunkBytes, chunks, missing: range(chunks) }
}

async function resume<Photo>(
  file: File,
  adapter: UploadAdapter<Photo>,
  options: SendFileOptions,
): Promise<Session | null> {
  const storedSession = adapter.storedSession()
  if (storedSession === null) return null
  const status = await retryUntilDone(options, () => adapter.status(storedSession.id, withTimeout(options.cancelled)))
  if (status === null || status.status === 'failed' || status.fileSize !== file.size) return null
  const chunks = status.expectedChunks
  const received = new Set(status.receivedIndexes)
  const missing = status.status === 'in_progress' ? range(chunks).filter((index) => !received.has(index)) : []
  return { ...storedSession, chunks, missing }
}

async function loadMissing<Photo>({ id, chunks }: Session, adapter: UploadAdapter<Photo>, options: SendFileOptions) {
  const status = await retryUntilDone(options, () => adapter.status(id, withTimeout(options.cancelled)))
  const received = new Set(status?.receivedIndexes)
  return range(chunks).filter((index) => !received.has(index))
}

async function sendMissing<Photo>(
  file: File,
  session: Session,
  adapter: UploadAdapter<Photo>,
  options: SendFileOptions,
): Promise<void> {
  const { id, chunkBytes, chunks } = session
  const getChunkBytes = (index: number) => Math.min(file.size, (index + 1) * chunkBytes) - index * chunkBytes
  const missing = new Set(session.missing)
  const sent = new Map(
    range(chunks).flatMap((index) => (missing.has(index) ? [] : [[index, getChunkBytes(index)] as const])),
  )
  const reportProgress = () => options.onProgress([...sent.values()].reduce((total, one) => total + one, 0))
  if (sent.size > 0) reportProgress()
  const setSent = (index: number, bytes: number) => {
    sent.set(index, Math.min(bytes, getChunkBytes(index)))
    reportProgress()
  }
  const { scheduler } = options
  const controller = new AbortController()
  const cancelled = anySignal([options.cancelled, controller.signal])
  const sendChunk = (index: number) =>
    retryUntilDone({ ...options, cancelled }, async () => {
      const piece = file.slice(index * chunkBytes, index * chunkBytes + getChunkBytes(index))
      const postOptions = {
        cancelled,
        running: scheduler.running,
        onProgress: (bytes: number) => setSent(index, bytes),
      }
      await adapter.sendChunk(id, index, piece, postOptions).catch(async (error) => {
        setSent(index, 0)
        await assertReadable(file, error)
        throw error
      })
      setSent(index, getChunkBytes(index))
      missing.delete(index)
    })
  const queue = [...session.missing]
  const sendFromQueue = async () => {
    for (let index = queue.shift(); index !== undefined; index = queue.shift()) await sendChunk(index)
  }
  try {
    await Promise.all(range(adapter.maxConcurrentChunks).map(sendFromQueue))
  } finally {
    // When one chunk fails, the others stop.
    controller.abort()
    session.missing = [...missing]
  }
}

/**
 * Throws UploadFailed if the file was moved or changed. Checks only after NoResponse, because sending such a file fails
 * in the same way as a lost connection.
 */
async function assertReadable(file: File, error: unknown): Promise<void> {
  if (!(error instanceof NoResponse)) return
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => {
      throw new UploadFailed({ kind: 'rejected', reason: 'unreadable' })
    })
}
