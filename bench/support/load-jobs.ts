/**
 * What the load generator is asked to do. Requests are whole HTTP requests; `status` is what every
 * answer must have. A job ends after `seconds`, or at the end of its list, or when it is told to finish.
 */
export type Job = FloodJob | PacedJob | UploadJob | ChunksJob

/** Each connection asks again as soon as it is answered. */
export type FloodJob = {
  kind: 'flood'
  port: number
  request: string
  connections: number
  seconds: number
  status: number
}

/** An open loop of `perSecond` requests, one after the other from the list, and again from its start if it `repeats`. */
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

/** `count` multipart uploads (without it: until told to finish) of the JPEG files in turn, no two of the same bytes. */
export type UploadJob = {
  kind: 'upload'
  port: number
  path: string
  token: string
  files: readonly string[]
  connections: number
  count?: number
}

/**
 * One file in chunks of 10,485,760 bytes, each posted to `path` and its index. It begins with the bytes of `headFile`;
 * what follows is noise.
 */
export type ChunksJob = {
  kind: 'chunks'
  port: number
  path: string
  token: string
  headFile: string
  fileBytes: number
  connections: number
}

/**
 * What a job did: answers, seconds from the first request to the last answer, bytes of the request bodies, the
 * generator's own use of a core (0…1), and the time of each answer in ms (none for a flood).
 */
export type Outcome = { answers: number; seconds: number; bytesSent: number; ownCpuShare: number; timesMs: number[] }

/** A GET as the generator sends it. */
export function getRequest(port: number, path: string, headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${lines.join('')}\r\n`
}

/** A POST of JSON as the generator sends it; ASCII alone. */
export function postRequest(port: number, path: string, body: object, headers: Record<string, string>): string {
  const text = JSON.stringify(body)
  const all = { ...headers, 'Content-Type': 'application/json', 'Content-Length': String(text.length) }
  return getRequest(port, path, all).replace('GET', 'POST') + text
}
