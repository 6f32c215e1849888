import { chunkBytes } from '../../../contract/chunk-bytes.ts'
import { probePauseMs, probeRangeBytes } from '../../../contract/instance/proxy-probes.ts'
import { api, unwrap } from '../api/api.ts'
import { sessionFetch } from '../api/session-fetch.ts'
import type { ProbeResults } from './proxy-verdicts.ts'

const base = '/api/admin/health/proxy'

/** Tests what a proxy can break. Throws ApiError and Unreachable only if the first request fails. */
export async function probeProxy(): Promise<ProbeResults> {
  const startedAt = Date.now()
  const facts = await unwrap(api.GET(base))
  const clockOffsetSeconds = (Date.parse(facts.now) - (startedAt + Date.now()) / 2) / 1000
  // In sequence: a large upload would delay the stream.
  const stream = await probeStream()
  const range = await probeRange()
  const body = await probeBody()
  return { facts, clockOffsetSeconds, stream, range, body }
}

const fetchProbe = (path: string, options: RequestInit = {}): Promise<Response> =>
  sessionFetch(new Request(new URL(base + path, location.origin), { cache: 'no-store', ...options }))

async function probeBody(): Promise<ProbeResults['body']> {
  const body = new Blob([new Uint8Array(chunkBytes)], { type: 'application/octet-stream' })
  try {
    const response = await fetchProbe('/body', { method: 'POST', body })
    if (!response.ok) return { hasArrived: false, status: response.status }
    const { size_bytes } = await response.json()
    return { hasArrived: size_bytes === chunkBytes, status: response.status }
  } catch {
    return { hasArrived: false, status: null }
  }
}

async function probeRange(): Promise<ProbeResults['range']> {
  try {
    const response = await fetchProbe('/range', { headers: { range: 'bytes=100-199' } })
    const { byteLength } = await response.arrayBuffer()
    if (response.status === 200) return 'whole'
    const isRequestedRange =
      response.headers.get('content-range') === `bytes 100-199/${probeRangeBytes}` && byteLength === 100
    if (response.status !== 206 || !isRequestedRange) return 'none'
    // A download cannot be resumed with a weak or missing ETag.
    return response.headers.get('etag') === '"probe"' ? 'piece' : 'changed'
  } catch {
    return 'none'
  }
}

/** The service pauses between two events. A proxy buffers if both arrive together. */
async function probeStream(): Promise<ProbeResults['stream']> {
  try {
    const response = await fetchProbe('/stream')
    if (!response.ok || !response.body) return 'none'
    let received = ''
    let firstAt: number | null = null
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      received += read.value
      firstAt ??= Date.now()
    }
    if (firstAt === null || !received.includes('second')) return 'none'
    return Date.now() - firstAt > probePauseMs / 2 ? 'at once' : 'held back'
  } catch {
    return 'none'
  }
}
