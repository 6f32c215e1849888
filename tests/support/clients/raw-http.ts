import { connect, type Socket } from 'node:net'

export type RawResponse = { status: number; headers: string; body: string }

export function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url)
  return connect(Number(port), hostname)
}

/** Sends raw bytes and returns the response, like `readRawResponse`. */
export async function sendRaw(url: string, ...pieces: Array<string | Uint8Array>): Promise<RawResponse> {
  const socket = openSocket(url)
  const answered = readRawResponse(socket)
  for (const piece of pieces) socket.write(piece)
  return answered.finally(() => socket.destroy())
}

/**
 * Returns the first response when its `Content-Length` bytes have arrived or the connection closes. The status is 0 if
 * there is no response.
 */
export function readRawResponse(socket: Socket): Promise<RawResponse> {
  let text = ''
  return new Promise((resolve) => {
    const settle = () => resolve(parse(text) ?? { status: 0, headers: '', body: '' })
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      const response = parse(text)
      const length = Number(/^content-length: (\d+)/im.exec(response?.headers ?? '')?.[1] ?? Number.POSITIVE_INFINITY)
      if (response && response.body.length >= length) resolve(response)
    })
    socket.on('error', settle)
    socket.on('close', settle)
  })
}

function parse(text: string): RawResponse | null {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return null
  const headers = text.slice(0, end)
  return { status: Number(/^HTTP\/1.1 (\d+)/.exec(headers)?.[1] ?? 0), headers, body: text.slice(end + 4) }
}
