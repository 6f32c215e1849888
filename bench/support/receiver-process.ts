/** The process of the webhook receivers, which respond with 200 or never. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { clockMs, type ReceivedPost, type ReceiverCommand, type ReceiverState } from './receivers.ts'

const hanging = new Set<number>()
const hangingResponses = new Set<ServerResponse>()
const ports: number[] = []
let receivedPosts: ReceivedPost[] = []

process.on('message', async ({ id, command }: { id: number; command: ReceiverCommand }) => {
  process.send?.({ id, answer: await handleCommand(command) })
})
process.on('disconnect', () => process.exit())

async function handleCommand({ open = 0, hang, take }: ReceiverCommand): Promise<ReceiverState> {
  while (ports.length < open) ports.push(await listen())
  if (hang) {
    hanging.clear()
    for (const port of hang) hanging.add(port)
    for (const response of hangingResponses) response.destroy()
    hangingResponses.clear()
  }
  const taken = take ? receivedPosts : []
  if (take) receivedPosts = []
  return { ports, count: receivedPosts.length, receivedPosts: taken }
}

async function listen(): Promise<number> {
  const server = createServer((request, response) => receive(port, request, response))
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return port
}

function receive(port: number, request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const atMs = clockMs()
    const subject = /"event_name":"([^"]*)"/.exec(Buffer.concat(chunks).toString())?.[1] ?? ''
    receivedPosts.push({ port, subject, atMs })
    if (hanging.has(port)) hangingResponses.add(response)
    else response.writeHead(200, { 'content-length': 2 }).end('ok')
  })
}
