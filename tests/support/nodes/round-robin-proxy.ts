import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type RoundRobin = { url: string; close: () => Promise<void> }

/**
 * Starts a proxy that sends each request to the next node. It does not check health: if the connection to the node
 * fails before a response, the proxy responds 502.
 */
export async function startRoundRobin(urls: readonly string[]): Promise<RoundRobin> {
  let count = 0
  const server = createServer((asked, response) => forward(asked, response, String(urls[count++ % urls.length])))
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

function forward(asked: IncomingMessage, response: ServerResponse, url: string): void {
  const { method, headers, url: path } = asked
  const upstream = request(new URL(path ?? '/', url), { method: method ?? 'GET', headers, agent: false })
  upstream.on('response', (upstreamResponse) => {
    response.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.rawHeaders)
    upstreamResponse.on('error', () => response.destroy()).on('aborted', () => response.destroy())
    upstreamResponse.pipe(response)
  })
  // The node may respond before it has read the request. Errors of sending the rest are then ignored.
  upstream.on('error', () => {
    if (!response.headersSent) response.writeHead(502, { connection: 'close' }).end()
  })
  response.on('close', () => upstream.destroy())
  asked.on('error', () => upstream.destroy())
  asked.pipe(upstream)
}
