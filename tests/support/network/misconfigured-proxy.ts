import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'

export type Misconfiguration = {
  /** A request with a larger Content-Length gets 413, as with nginx. */
  maxBodyBytes?: number
  /** Each response is buffered and passed on when it is complete. */
  buffersResponses?: boolean
}

/** Starts a proxy that limits bodies or buffers responses, and that runs until the test ends. Returns its address. */
export async function startMisconfiguredProxy(
  target: string,
  misconfiguration: Misconfiguration = {},
): Promise<string> {
  const server = createServer((asked, answered) => forward(target, asked, answered, misconfiguration))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

function forward(
  target: string,
  asked: IncomingMessage,
  answered: ServerResponse,
  misconfiguration: Misconfiguration,
): void {
  const { maxBodyBytes = Number.POSITIVE_INFINITY, buffersResponses = false } = misconfiguration
  if (Number(asked.headers['content-length'] ?? 0) > maxBodyBytes) {
    asked.resume()
    answered.writeHead(413, { 'content-type': 'text/html' }).end('<h1>413 Request Entity Too Large</h1>')
    return
  }
  const headers = { ...asked.headers, 'x-forwarded-for': asked.socket.remoteAddress ?? '', 'x-forwarded-proto': 'http' }
  const upstream = request(target + asked.url, { method: asked.method ?? 'GET', headers }, (response) => {
    answered.writeHead(response.statusCode ?? 502, response.headers)
    if (!buffersResponses) return void response.pipe(answered)
    const chunks: Buffer[] = []
    response.on('data', (bytes: Buffer) => chunks.push(bytes))
    response.on('end', () => answered.end(Buffer.concat(chunks)))
  })
  upstream.on('error', () => answered.destroy())
  asked.pipe(upstream)
}
