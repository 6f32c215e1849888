/**
 * A `request` is the text of a whole HTTP message. A job ends after `seconds`, after its last request, or when `finish`
 * of its `RunningJob` is called.
 */
export type Job = FloodJob | PacedJob | UploadJob | ChunksJob

/** Each connection sends the next request right after a response. */
export type FloodJob = {
  kind: 'flood'
  port: number
  request: string
  connections: number
  seconds: number
  status: number
}

/**
 * Sends the requests of the list in order, `perSecond` of them each second while a connection is free. With `repeats`,
 * the list starts again at its end.
 */
export type PacedJob = {
  kind: 'paced'
  port: number
  requests: readonly string[]
  repeats: boolean
  perSecond: number
  connections: number
  seconds?: number
  status: number
}

/** Multipart uploads of the JPEG files, each with different bytes. Without `count` the job runs until `finish`. */
export type UploadJob = {
  kind: 'upload'
  port: number
  path: string
  token: string
  files: readonly string[]
  connections: number
  count?: number
}

/** One file in chunks, each posted to `path` plus its index. The file is `headFile` followed by noise. */
export type ChunksJob = {
  kind: 'chunks'
  port: number
  path: string
  token: string
  headFile: string
  fileBytes: number
  connections: number
}

/** `ownCpuShare`: the CPU time of the generator divided by the duration. `timesMs` is empty for a flood. */
export type Outcome = { answers: number; seconds: number; bytesSent: number; ownCpuShare: number; timesMs: number[] }

export function getRequest(port: number, path: string, headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${lines.join('')}\r\n`
}

export function postRequest(port: number, path: string, body: object, headers: Record<string, string>): string {
  const text = JSON.stringify(body)
  const all = { ...headers, 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(text)) }
  return getRequest(port, path, all).replace('GET', 'POST') + text
}
