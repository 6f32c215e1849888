import type { Exchange, Send } from './connection.ts'
import type { CallOptions } from './operation-types.ts'
import { networkError } from './problem.ts'

/** `from` continues a download: the bytes that you have, and the ETag that they came with. */
export type DownloadOptions = CallOptions & { from?: { bytes: number; etag: string } }

export type Download = {
  /** The bytes as they arrive. A lost connection is continued where it ended. */
  body: ReadableStream<Uint8Array>
  /** The whole file, in bytes; null if the service does not say. */
  sizeBytes: number | null
  /** Where `body` begins: 0, or the bytes of `from`. It is 0 too if the file has changed: discard what you have. */
  startsAt: number
  type: string
  filename: string | null
  etag: string | null
  blob: () => Promise<Blob>
}

export async function download(
  send: Send,
  path: string,
  target: Pick<Exchange, 'path' | 'query'>,
  { from, ...options }: DownloadOptions,
): Promise<Download> {
  const open = (bytes: number, etag: string | null): Promise<Response> => {
    const range = bytes > 0 && etag !== null ? { range: `bytes=${bytes}-`, 'if-range': etag } : {}
    return send('GET', path, { ...target, ...options, headers: { ...options.headers, ...range } })
  }
  const first = await open(from?.bytes ?? 0, from?.etag ?? null)
  const { headers } = first
  const etag = headers.get('etag')
  const startsAt = first.status === 206 ? (from?.bytes ?? 0) : 0
  const length = headers.has('content-encoding') ? null : headers.get('content-length')
  const sizeBytes = length === null ? null : startsAt + Number(length)
  const type = headers.get('content-type') ?? ''
  const body = continuing(first, { sizeBytes, startsAt, etag, open, ...options })
  return {
    body,
    sizeBytes,
    startsAt,
    type,
    filename: parseFilename(headers.get('content-disposition')),
    etag,
    blob: () => new Response(body, { headers: { 'content-type': type } }).blob(),
  }
}

type Continued = {
  sizeBytes: number | null
  startsAt: number
  etag: string | null
  open: (bytes: number, etag: string) => Promise<Response>
  signal?: AbortSignal
}

/** How often in a row a connection may end without a byte. */
const maxFailures = 3

function continuing(first: Response, { sizeBytes, startsAt, etag, open, signal }: Continued) {
  let reader = first.body?.getReader()
  let received = startsAt
  let failures = 0

  async function readOn(): Promise<Uint8Array | null> {
    const { value } = (await reader?.read()) ?? {}
    if (value !== undefined) return value
    if (sizeBytes !== null && received < sizeBytes) throw new TypeError('The connection ended too early')
    return null
  }

  async function readPatiently(): Promise<Uint8Array | null> {
    for (;;) {
      try {
        return await readOn()
      } catch (error) {
        signal?.throwIfAborted()
        if (etag === null || ++failures > maxFailures) throw networkError(first.url, error)
        const response = await open(received, etag)
        const isSame = response.status === 206 || received === 0
        if (!isSame) throw networkError(first.url, new TypeError('The file has changed'))
        reader = response.body?.getReader()
      }
    }
  }

  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const bytes = await readPatiently()
      if (bytes === null) return controller.close()
      if (bytes.length > 0) failures = 0
      received += bytes.length
      controller.enqueue(bytes)
    },
    cancel: (reason) => reader?.cancel(reason),
  })
}

/** Prefers the encoded name (RFC 6266). */
function parseFilename(disposition: string | null): string | null {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '') ?? []
  if (encoded !== undefined) return decodeURIComponent(encoded)
  const [, quoted, bare] = /filename="([^"]*)"|filename=([^;\s]+)/i.exec(disposition ?? '') ?? []
  return quoted ?? bare ?? null
}
