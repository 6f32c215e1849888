import { readJson } from './bounded-body.ts'
import type { Send } from './connection.ts'
import type { CallOptions } from './operation-types.ts'
import { ProofroomError, unexpectedResponse } from './problem.ts'

export type Progress = { sentBytes: number; totalBytes: number }

export type ChunkedOptions = CallOptions & {
  onProgress?: ((progress: Progress) => void) | undefined
  /** Called with the id of the upload session before the first byte is sent. Store it to resume after a restart. */
  onSession?: ((sessionId: string) => void) | undefined
  /** Continues this upload session: only the chunks that the service does not have are sent. */
  resume?: string | undefined
  /** How many chunks are sent at once; the default is 3. */
  concurrency?: number | undefined
}

type Chunked = {
  /** The path of the upload sessions, such as `/api/v1/events/{event_id}/chunked-upload`. */
  path: string
  parameters: Record<string, unknown>
  file: Blob
  /** The bodies of `init`, beside the size, and of `complete`. */
  init: { filename: string } & object
  complete: object
}

type Session = { id: string; missing: number[] }
type SessionStatus = {
  receivedIndexes: number[]
  expectedChunks: number
  fileSize: number
  status: 'in_progress' | 'completing' | 'completed' | 'failed'
}

/** The size of every chunk except the last, which the API fixes. */
const chunkBytes = 10_485_760

/** Chunks can be lost between their confirmation and `complete` only if the session is aborted by somebody else. */
const maxRounds = 3

/** Sends a file of any size in chunks. Returns its photo. Throws ProofroomError. */
export async function sendInChunks<Photo>(send: Send, upload: Chunked, options: ChunkedOptions): Promise<Photo> {
  const { path, parameters, file, complete } = upload
  const { signal, retries, headers } = options
  const call = { ...(signal && { signal }), ...(retries !== undefined && { retries }), ...(headers && { headers }) }
  const { id, missing } =
    options.resume === undefined ? await start(send, upload, call) : await load(send, upload, options.resume, call)
  if (options.resume === undefined) options.onSession?.(id)
  const one = { ...parameters, upload_id: id }

  let waiting = missing
  for (let round = 1; ; round++) {
    await sendChunks(waiting)
    try {
      const response = await send('POST', `${path}/{upload_id}/complete`, { ...call, path: one, body: complete })
      return (await readJson<{ photos: [Photo] }>(response)).photos[0]
    } catch (error) {
      const isIncomplete = error instanceof ProofroomError && error.code === 'MISSING_CHUNKS'
      if (!isIncomplete || round === maxRounds) throw error
      waiting = checkMissing(error, countChunks(file))
    }
  }

  async function sendChunks(indexes: number[]): Promise<void> {
    const sizeOf = (index: number) => Math.min(chunkBytes, file.size - index * chunkBytes)
    let sentBytes = file.size - indexes.reduce((sum, index) => sum + sizeOf(index), 0)
    const report = () => options.onProgress?.({ sentBytes, totalBytes: file.size })
    report()
    const queue = [...indexes]
    let hasFailed = false
    async function sendSome(): Promise<void> {
      for (let index = queue.shift(); index !== undefined && !hasFailed; index = queue.shift()) {
        const body = file.slice(index * chunkBytes, index * chunkBytes + sizeOf(index))
        await send('POST', `${path}/{upload_id}/chunk/{index}`, { ...call, path: { ...one, index }, body })
        sentBytes += sizeOf(index)
        report()
      }
    }
    const senders = Array.from({ length: options.concurrency ?? 3 }, () =>
      sendSome().catch((error) => {
        hasFailed = true
        throw error
      }),
    )
    await Promise.all(senders)
  }
}

async function start(send: Send, { path, parameters, file, init }: Chunked, call: CallOptions): Promise<Session> {
  const body = { ...init, fileSize: file.size }
  // A repeat after a lost response leaves an empty session, which ends after 24 hours.
  const response = await send('POST', `${path}/init`, { ...call, path: parameters, body })
  const { uploadId, expectedChunks } = await readJson<{ uploadId: string; expectedChunks: number }>(response)
  return { id: uploadId, missing: listIndexes(response, file, expectedChunks) }
}

async function load(send: Send, { path, parameters, file }: Chunked, id: string, call: CallOptions): Promise<Session> {
  const response = await send('GET', `${path}/{upload_id}/status`, { ...call, path: { ...parameters, upload_id: id } })
  const { receivedIndexes, expectedChunks, fileSize, status } = await readJson<SessionStatus>(response)
  if (fileSize !== file.size) throw new TypeError(`The upload session is for a file of ${fileSize} bytes.`)
  const received = new Set(receivedIndexes)
  // `complete` of a completed session returns the same photo again, and that of a failed one says why.
  const isOver = status === 'completed' || status === 'failed'
  const indexes = listIndexes(response, file, expectedChunks)
  return { id, missing: isOver ? [] : indexes.filter((index) => !received.has(index)) }
}

const countChunks = (file: Blob): number => Math.ceil(file.size / chunkBytes)

/** The number of the service is only compared: a faulty one could name more chunks than fit into the memory. */
function listIndexes(response: Response, file: Blob, expectedChunks: unknown): number[] {
  const count = countChunks(file)
  if (expectedChunks !== count) {
    throw unexpectedResponse(response, `does not expect the ${count} chunks of a file of ${file.size} bytes`)
  }
  return [...Array(count).keys()]
}

/** Returns the chunks that the service lacks, each once. Throws ProofroomError if they are not chunks of the file. */
function checkMissing({ body, status, requestId, retryAfterSeconds }: ProofroomError, count: number): number[] {
  const missing: unknown = body.missing ?? []
  const isChunk = (index: unknown) => Number.isInteger(index) && (index as number) >= 0 && (index as number) < count
  if (Array.isArray(missing) && missing.every(isChunk)) return [...new Set<number>(missing)]
  const error = 'The response names missing chunks that the file does not have.'
  throw new ProofroomError({ error, code: 'UNEXPECTED_RESPONSE' }, { status, requestId, retryAfterSeconds })
}
