import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type RoundRobin = { url: string; close: () => Promise<void> }

/** Sends each request to the next node. It does not check their health: a node that does not respond causes a 502. */
export async function startRoundRobin(urls: readonly string[]): Promise<RoundRobin> {
  let count = 0
  const server = createServer((asked, answer) => passOn(asked, answer, String(urls[count++ % urls.length])))
  server.requestTimeout = 0
  server.keepAliveTimeout = 75_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function passOn(asked: IncomingMessage, answer: ServerResponse, url: string): void {
  const { method, headers, url: path } = asked
  const far = request(new URL(path ?? '/', url), { method: method ?? 'GET', headers, agent: false })
  far.on('response', (given) => {
    answer.writeHead(given.statusCode ?? 502, given.rawHeaders)
    given.on('error', () => answer.destroy()).on('aborted', () => answer.destroy())
    given.pipe(answer)
  })
  // Errors after an early response are ignored.
  far.on('error', () => {
    if (!answer.headersSent) answer.writeHead(502, { connection: 'close' }).end()
  })
  answer.on('close', () => far.destroy())
  asked.on('error', () => far.destroy())
  asked.pipe(far)
}
