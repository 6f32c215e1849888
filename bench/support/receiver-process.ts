/** The process of the webhook receivers, which respond with 200 or never. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Arrival, clockMs, type ReceiverAnswer, type ReceiverQuestion } from './receivers.ts'

const hanging = new Set<number>()
const heldBack = new Set<ServerResponse>()
const ports: number[] = []
let arrivals: Arrival[] = []

process.on('message', async ({ id, question }: { id: number; question: ReceiverQuestion }) => {
  process.send?.({ id, answer: await answerTo(question) })
})
process.on('disconnect', () => process.exit())

async function answerTo({ open = 0, hang, take }: ReceiverQuestion): Promise<ReceiverAnswer> {
  while (ports.length < open) ports.push(await listen())
  if (hang) {
    hanging.clear()
    for (const port of hang) hanging.add(port)
    for (const response of heldBack) response.destroy()
    heldBack.clear()
  }
  const told = take ? arrivals : []
  if (take) arrivals = []
  return { ports, count: arrivals.length, arrivals: told }
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
    arrivals.push({ port, subject, atMs })
    if (hanging.has(port)) heldBack.add(response)
    else response.writeHead(200, { 'content-length': 2 }).end('ok')
  })
}
