import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors/app-error.ts'
import type { ByteRange, ByteReader } from '../storage/storage.ts'
import { normalizeText } from '../text/normalize-text.ts'
import { sendReader } from './send-reader.ts'

export type FileToSend = {
  sizeBytes: number
  /** Identifies exactly these bytes; without quotes. */
  etag: string
  contentType: string
  /** Sends the file as a download under this name (encoded by RFC 5987 where needed). */
  downloadName?: string
  /** File name for a file that is displayed and then saved. */
  displayName?: string
  cacheControl?: string
  /** Returns the URL where a GET can fetch the file from the storage; null when there is none. */
  findRedirectUrl?: (contentDisposition: string) => Promise<string | null>
  onBegin?: () => void
  /** Returns a ByteReader for a large file, because `sendReader` sends it without allocating memory for each read. */
  open: (range?: ByteRange) => Promise<Readable | ByteReader>
}

/**
 * Supports ETag and 304 for GET and HEAD, and Range and If-Range for GET and POST. The calling function must check
 * access. Throws RANGE_NOT_SATISFIABLE, and errors of `open` and `findRedirectUrl`.
 */
export async function sendFile(request: FastifyRequest, reply: FastifyReply, file: FileToSend): Promise<unknown> {
  const etag = `"${file.etag}"`
  const headers = { etag, 'cache-control': file.cacheControl ?? 'private, no-cache', 'accept-ranges': 'bytes' }
  const isPost = request.method === 'POST'
  if (!isPost && matches(request.headers['if-none-match'], etag)) return reply.code(304).headers(headers).send()

  const range = request.method === 'HEAD' ? null : parseRange(request, etag, file.sizeBytes)
  if (range === 'outside') {
    reply.header('content-range', `bytes */${file.sizeBytes}`)
    throw new AppError('RANGE_NOT_SATISFIABLE')
  }
  const disposition = formatDisposition(file)
  const address = request.method === 'GET' ? await file.findRedirectUrl?.(disposition ?? '') : null
  if (address) return reply.code(302).headers({ location: address, 'cache-control': 'private, no-store' }).send()
  // Opened before any header is set, so that a missing file becomes a problem response, even for HEAD. HEAD gets an
  // empty stream, because the framework sets the length to 0 for a response without a body.
  const opened = await file.open(range ?? undefined)
  if (request.method === 'HEAD') await (opened instanceof Readable ? opened.destroy() : opened.close())
  const body = request.method === 'HEAD' ? Readable.from([]) : opened
  const length = range ? range.end - range.start + 1 : file.sizeBytes
  reply.headers(headers).type(file.contentType).header('content-length', String(length))
  if (disposition) reply.header('content-disposition', disposition)
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.sizeBytes}`)
  if (request.method !== 'HEAD' && (range?.start ?? 0) === 0) file.onBegin?.()
  if (body instanceof Readable) return reply.send(body)
  await sendReader(request, reply, body, length)
  return reply
}

function formatDisposition({ downloadName, displayName }: FileToSend): string | null {
  if (downloadName) return contentDisposition(downloadName, { type: 'attachment', fallback: toAsciiName(downloadName) })
  return displayName ? contentDisposition(displayName, { type: 'inline', fallback: toAsciiName(displayName) }) : null
}

/** Returns an ASCII name for clients that support no other names, such as curl. */
const toAsciiName = (name: string): string =>
  normalizeText(name, 'NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]|[?*]/gu, '_')

export function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag || header === '*') return true
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
}

/**
 * Returns null, so that the whole file is sent, for no range, several ranges, an invalid range, or another ETag in
 * If-Range. Returns `outside` for a range without a byte of the file.
 */
function parseRange(request: FastifyRequest, etag: string, sizeBytes: number): ByteRange | null | 'outside' {
  const ifRange = request.headers['if-range']
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '') ?? []
  if ((!first && !last) || (ifRange !== undefined && ifRange !== etag)) return null
  if (!first) {
    const suffix = Number(last)
    return suffix === 0 || sizeBytes === 0 ? 'outside' : { start: Math.max(0, sizeBytes - suffix), end: sizeBytes - 1 }
  }
  const start = Number(first)
  const end = last ? Math.min(Number(last), sizeBytes - 1) : sizeBytes - 1
  if (last && Number(last) < start) return null
  return start >= sizeBytes ? 'outside' : { start, end }
}

export function sendStylesheet(
  request: FastifyRequest,
  reply: FastifyReply,
  style: string,
  cacheControl: string,
): FastifyReply {
  const etag = `"${createHash('sha256').update(style).digest('base64url')}"`
  reply.headers({ etag, 'cache-control': cacheControl })
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.type('text/css; charset=utf-8').send(style)
}
