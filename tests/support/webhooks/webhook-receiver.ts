import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { afterAll, expect, onTestFinished, vi } from 'vitest'

export type ReceivedDelivery = {
  /** The header `webhook-id`. */
  id: string
  type: string
  sequence: number
  method: string
  /** Includes the query. */
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** Parsed JSON, or null for any other body. */
  // biome-ignore lint/suspicious/noExplicitAny: each test expects a body of another type
  json: any
  /** Epoch milliseconds by the clock of the receiver. */
  receivedAt: number
}

/** Responds to a delivery. A function that does nothing lets the sender wait. */
export type Respond = (response: ServerResponse, delivery: ReceivedDelivery) => void

export type WebhookReceiver = {
  /** `http://127.0.0.1:<port>`. The receiver accepts every path below it. */
  origin: string
  url: string
  port: number
  received: ReceivedDelivery[]
  /** Can be replaced at any time. Default: 204. */
  respond: Respond
  /** Adds secrets of webhooks. Every delivery must be signed with one of them. */
  trust: (...secrets: string[]) => void
  /** Waits for `count` deliveries in total. Verifies the signatures of all and returns all. */
  receive: (count: number) => Promise<ReceivedDelivery[]>
  connections: () => number
  openConnections: () => Promise<number>
  /** Closes open connections, frees the port and verifies the remaining deliveries. */
  stop: () => Promise<void>
}

type Options = { port?: number; respond?: Respond; clock?: { now: () => number } }

export const answer =
  (status: number, headers: Record<string, string> = {}, body = ''): Respond =>
  (response) =>
    response.writeHead(status, headers).end(body)

export const neverRespond: Respond = () => {}

export const respondSlowly =
  (ms: number, respond: Respond): Respond =>
  (response, delivery) => {
    setTimeout(() => respond(response, delivery), ms)
  }

/** Returns a responder that uses one function after another, and the last one for all later deliveries. */
export function respondInOrder(...responds: Respond[]): Respond {
  let count = 0
  return (response, delivery) => responds[Math.min(count++, responds.length - 1)]?.(response, delivery)
}

/** Throws unless both signatures of a delivery are valid for this secret at the time of its arrival. */
export function verifyDelivery({ headers, body, receivedAt }: ReceivedDelivery, secret: string): void {
  expect(headers['x-service-signature']).toBe(createHmac('sha256', secret).update(body).digest('hex'))
  // The library calls `Date.now`, so `Date.now` returns the time of arrival.
  const time = vi.spyOn(Date, 'now').mockReturnValue(receivedAt)
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>, { jsonParse: false })
  } finally {
    time.mockRestore()
  }
}

/** Listens on the loopback interface, by default on a free port. Records each request before it responds. */
async function startWebhookReceiver({
  port = 0,
  respond = answer(204),
  clock = Date,
}: Options = {}): Promise<WebhookReceiver> {
  const secrets: string[] = []
  const waiters = new Set<() => void>()
  let connections = 0
  let verified = 0

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const delivery = describeDelivery({ method, path, headers, body: Buffer.concat(chunks).toString() }, clock.now())
      receiver.received.push(delivery)
      receiver.respond(response, delivery)
      for (const check of waiters) check()
    })
    // A client that disconnects must not fail the test.
    request.on('error', () => {})
  })
  server.on('connection', () => connections++)
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  const address = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${address.port}`

  function verify(): void {
    for (; verified < receiver.received.length; verified++) {
      const delivery = receiver.received[verified] as ReceivedDelivery
      const signature = delivery.headers['x-service-signature']
      const secret = secrets.find((one) => createHmac('sha256', one).update(delivery.body).digest('hex') === signature)
      if (secret === undefined) throw new Error(`Delivery ${delivery.id} is signed with no secret that is trusted here`)
      verifyDelivery(delivery, secret)
    }
  }

  const receiver: WebhookReceiver = {
    origin,
    url: `${origin}/hook`,
    port: address.port,
    received: [],
    respond,
    trust: (...more) => void secrets.push(...more),
    connections: () => connections,
    openConnections: () => promisify(server.getConnections).call(server),
    async receive(count) {
      await new Promise<void>((resolve, reject) => {
        const done = () => {
          clearTimeout(timer)
          waiters.delete(check)
        }
        const check = () => {
          if (receiver.received.length < count) return
          done()
          resolve()
        }
        const timer = setTimeout(() => {
          done()
          reject(new Error(`${receiver.received.length} of ${count} deliveries have come`))
        }, 60_000)
        waiters.add(check)
        check()
      })
      verify()
      return receiver.received
    },
    async stop() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
      verify()
    },
  }
  return receiver
}

function describeDelivery(
  request: Pick<ReceivedDelivery, 'method' | 'path' | 'headers' | 'body'>,
  receivedAt: number,
): ReceivedDelivery {
  const { headers, body } = request
  return {
    ...request,
    id: String(headers['webhook-id']),
    type: String(headers['x-service-event']),
    sequence: Number(headers['x-service-sequence']),
    json: parseJson(body),
    receivedAt,
  }
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

/** Starts a receiver that stops after the last test of the file and then verifies the remaining deliveries. */
export async function webhookReceiverForFile(options: Options = {}): Promise<WebhookReceiver> {
  const receiver = await startWebhookReceiver(options)
  afterAll(receiver.stop)
  return receiver
}

export async function webhookReceiverForTest(options: Options = {}): Promise<WebhookReceiver> {
  const receiver = await startWebhookReceiver(options)
  onTestFinished(receiver.stop)
  return receiver
}
