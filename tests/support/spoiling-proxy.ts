import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'

export type Spoiling = {
  /** Larger bodies get 413, as with nginx. */
  maxBodyBytes?: number
  /** Each response is buffered and passed on when it is complete. */
  holdsBack?: boolean
}

/** Starts a proxy with unsuitable default settings, until the test ends. Returns its address. */
export async function spoilingProxyForTest(target: string, spoiling: Spoiling = {}): Promise<string> {
  const server = createServer((asked, answered) => passOn(target, asked, answered, spoiling))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

function passOn(target: string, asked: IncomingMessage, answered: ServerResponse, spoiling: Spoiling): void {
  const { maxBodyBytes = Number.POSITIVE_INFINITY, holdsBack = false } = spoiling
  if (Number(asked.headers['content-length'] ?? 0) > maxBodyBytes) {
    asked.resume()
    answered.writeHead(413, { 'content-type': 'text/html' }).end('<h1>413 Request Entity Too Large</h1>')
    return
  }
  const headers = { ...asked.headers, 'x-forwarded-for': asked.socket.remoteAddress ?? '', 'x-forwarded-proto': 'http' }
  const further = request(target + asked.url, { method: asked.method ?? 'GET', headers }, (answer) => {
    answered.writeHead(answer.statusCode ?? 502, answer.headers)
    if (!holdsBack) return void answer.pipe(answered)
    const gathered: Buffer[] = []
    answer.on('data', (bytes: Buffer) => gathered.push(bytes))
    answer.on('end', () => answered.end(Buffer.concat(gathered)))
  })
  further.on('error', () => answered.destroy())
  asked.pipe(further)
}
