import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import { certificate } from '../../../tests/support/network/tls-certificate.ts'
import {
  type RawReceiver,
  type RawResponder,
  rawReceiverForTest,
  respondWithLines,
} from '../../../tests/support/webhooks/raw-receiver.ts'
import { readConfig } from '../../platform/configuration/config.ts'
import { systemClock } from '../../platform/time/clock.ts'
import { PostFailed } from './post-failures.ts'
import { createReceiverClient } from './post-to-receiver.ts'
import { RejectedAddress } from './receiver-url.ts'

/** For attempts that must time out. */
const shortMs = 300

const home: Record<string, string[]> = { 'hooks.example.com': ['127.0.0.1'] }

/** `names` is a fake DNS that a test can change at any time. */
function receiverClientForTest(names = { ...home }, timeoutMs = 10_000) {
  const config = readConfig({ WEBHOOK_ALLOW_PRIVATE_URLS: 'true', WEBHOOK_HTTP_TIMEOUT_MS: String(timeoutMs) })
  const asked: string[] = []
  const receiverClient = createReceiverClient({
    config,
    clock: systemClock,
    async resolve(name) {
      asked.push(name)
      return (names[name] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    },
  })
  onTestFinished(receiverClient.close)
  const post = (url: string, signal = new AbortController().signal) =>
    receiverClient.post({
      url,
      headers: { 'content-type': 'application/json', 'x-order': 'a' },
      body: '{"name":"Zoë"}',
      signal,
    })
  return { config, names, asked, post }
}

/** Starts a receiver that writes without end, as fast as the client reads. */
async function floodForTest(head: string, drop: string, options = {}) {
  let written = 0
  const drops = Buffer.from(drop.repeat(Math.ceil(65_536 / drop.length)))
  const receiver = await rawReceiverForTest((socket) => {
    socket.write(head)
    const writeMore = () => {
      while (!socket.destroyed && socket.write(drops)) written += drops.length
    }
    socket.on('drain', () => {
      written += drops.length
      writeMore()
    })
    writeMore()
  }, options)
  return { receiver, written: () => written }
}

const urlOf = ({ port }: RawReceiver, host = 'hooks.example.com', path = '/hook') => `http://${host}:${port}${path}`

const ok = respondWithLines('HTTP/1.1 200 OK', 'Content-Length: 2', '', 'ok')
const writeText =
  (text: string): RawResponder =>
  (socket) =>
    void socket.write(text)
const endWith =
  (text: string): RawResponder =>
  (socket) =>
    void socket.end(text)

/** Starts a receiver and a client. `send` posts to the receiver. */
async function connect(response: RawResponder, names?: Record<string, string[]>) {
  const receiver = await rawReceiverForTest(response)
  const client = receiverClientForTest(names)
  return { receiver, ...client, send: (host?: string) => client.post(urlOf(receiver, host)) }
}

async function expectFailed(attempt: Promise<unknown>, message: string | RegExp): Promise<void> {
  const failure = await attempt.catch((error) => error)
  expect(failure).toBeInstanceOf(PostFailed)
  expect((failure as PostFailed).message).toEqual(
    typeof message === 'string' ? message : expect.stringMatching(message),
  )
}

const closed = 'The receiver closed the connection'
const tooLong = 'The response of the receiver is too long.'
const firstKilobyte = { status: 200, body: 'x'.repeat(1024) }
/** Far more than a client reads that ends a flood early, and far less than a flood of 10 seconds. */
const fewBytes = 50_000_000

describe('a delivery is one POST', () => {
  test('sends the exact bytes to the path and host name of the URL', async () => {
    const { receiver, post } = await connect(ok)
    const response = await post(urlOf(receiver, 'HOOKS.example.com', '/a%20b/hook?key=1&x=ä#part'))
    expect(response).toEqual({ status: 200, retryAfterMs: null, body: 'ok', latencyMs: expect.any(Number) })
    const [request = ''] = receiver.requests
    const [head = '', body] = request.split('\r\n\r\n')
    expect(head.split('\r\n')).toEqual([
      'POST /a%20b/hook?key=1&x=%C3%A4 HTTP/1.1',
      'content-type: application/json',
      'x-order: a',
      `Host: hooks.example.com:${receiver.port}`,
      'Connection: keep-alive',
      'Content-Length: 15',
    ])
    expect(Buffer.from(body ?? '', 'latin1').toString()).toBe('{"name":"Zoë"}')
  })

  test('connects to the IP address in the URL, or to the address of the name that accepts the connection', async () => {
    const { send, asked } = await connect(ok, { 'hooks.example.com': ['::1', '127.0.0.1'] })
    expect((await send('127.0.0.1')).status).toBe(200)
    expect(asked).toEqual([])
    expect((await send()).status).toBe(200)
  })
})

describe('a delivery goes only to the checked address', () => {
  test('looks up the name once per attempt, and reuses a connection while it has the same addresses', async () => {
    const { receiver, send, names, asked, config } = await connect(ok)
    await send()
    expect(asked).toEqual(['hooks.example.com'])
    await send()
    expect(asked).toHaveLength(2)
    expect(receiver.connectedAt).toEqual(['127.0.0.1'])
    names['hooks.example.com'] = ['127.0.0.2']
    await send()
    await send()
    expect(receiver.connectedAt).toEqual(['127.0.0.1', '127.0.0.2'])
    names['hooks.example.com'] = ['127.0.0.1']
    await send()
    expect(receiver.connectedAt).toHaveLength(2)
    // No open connection is used after the name resolves to a rejected address.
    config.webhooks.allowPrivateUrls = false
    await expect(send()).rejects.toThrow(RejectedAddress)
    expect(receiver.requests).toHaveLength(5)
  })

  test('shares no connection between receivers', async () => {
    const names = { 'hooks.example.com': ['127.0.0.1'], 'other.example.com': ['127.0.0.1'] }
    const { receiver, send } = await connect(ok, names)
    await send()
    await send('other.example.com')
    expect(receiver.connectedAt).toHaveLength(2)
    expect(receiver.requests[1]).toContain(`Host: other.example.com:${receiver.port}`)
  })

  test('does not take unrequested data for the next response', async () => {
    const hasClosed = Promise.withResolvers<void>()
    const { receiver, send } = await connect((socket, request, count) => {
      socket.once('close', () => hasClosed.resolve())
      ok(socket, request, count)
      if (count === 1) setImmediate(() => ok(socket, request, count))
    })
    await send()
    await hasClosed.promise
    expect((await send()).status).toBe(200)
    expect(receiver.connectedAt).toHaveLength(2)
  })

  test('does not take a second response for the next one, wherever the first one ends', async () => {
    for (const bytes of [4000, 4096, 8192, 8200]) {
      const head = 'HTTP/1.1 200 OK\r\nContent-Length: '
      const first = `${head}${bytes - head.length - 8}\r\n\r\n`.padEnd(bytes, 'x')
      const { receiver, send } = await connect(writeText(`${first}HTTP/1.1 500 No\r\n\r\n`))
      expect([(await send()).status, (await send()).status]).toEqual([200, 200])
      expect(receiver.connectedAt).toHaveLength(2)
    }
  })

  test('takes redirects for responses and does not follow them', async () => {
    const elsewhere = await rawReceiverForTest(ok)
    for (const status of [301, 307]) {
      const lines = [`HTTP/1.1 ${status} Moved`, `Location: ${urlOf(elsewhere)}`, 'Content-Length: 0', '', '']
      expect((await (await connect(respondWithLines(...lines))).send()).status).toBe(status)
    }
    expect(elsewhere.connectedAt).toEqual([])
  })
})

describe('an idle connection', () => {
  const end = (socket: Socket) => void socket.end()
  const destroy = (socket: Socket) => void socket.destroy()
  const reset = (socket: Socket) => void socket.resetAndDestroy()

  test('may end or be reset at any moment after a response without a failed delivery', async () => {
    for (const close of [end, reset]) {
      let answers = 0
      const { receiver, send } = await connect((socket, request, count) => {
        if (!socket.writable) return
        ok(socket, request, count)
        // The delays vary, so that the connection closes before, during or after the next request.
        const afterMs = answers++ % 6
        if (afterMs === 0) setImmediate(close, socket)
        else setTimeout(close, afterMs, socket)
      })
      for (let sent = 0; sent < 60; sent++) expect((await send()).body).toBe('ok')
      expect(receiver.connectedAt.length).toBeGreaterThan(5)
    }
  })

  test('that ends or is reset before a response is replaced by a new one for the same request', async () => {
    for (const breakOff of [destroy, reset]) {
      const { receiver, send } = await connect((socket, request, count) =>
        count === 1 ? ok(socket, request, count) : breakOff(socket),
      )
      await Promise.all([send(), send()])
      expect((await send()).status).toBe(200)
      expect(receiver.connectedAt).toHaveLength(3)
      const [, , first, again] = receiver.requests
      expect(again?.replace('Connection: close', 'Connection: keep-alive')).toBe(first)
    }
  })

  test('is replaced only once, and only if it has begun no answer; a new connection never is', async () => {
    for (const [answered, text, requests] of [
      [0, '', 1],
      [1, '', 3],
      [1, 'HTTP/1.1 200 OK\r\nContent-Le', 2],
    ] as const) {
      const { receiver, send } = await connect((socket, request) =>
        receiver.requests.length <= answered ? ok(socket, request, 1) : void socket.end(text),
      )
      for (let sent = 0; sent < answered; sent++) await send()
      await expect(send()).rejects.toThrow(closed)
      expect(receiver.requests).toHaveLength(requests)
    }
  })
})

describe('a receiver with TLS', () => {
  const trusted = getCACertificates()
  const trustReceiver = () => {
    setDefaultCACertificates([...trusted, certificate])
    onTestFinished(() => setDefaultCACertificates(trusted))
  }
  const names = { 'hooks.example.com': ['127.0.0.1'], 'other.example.com': ['127.0.0.1'] }
  const secure = (receiver: RawReceiver, host?: string) => urlOf(receiver, host).replace('http:', 'https:')
  const listen = (response: RawResponder) => rawReceiverForTest(response, { isSecure: true })

  test('is verified by its name, not by its address', async () => {
    const receiver = await listen(ok)
    const { post } = receiverClientForTest(names)
    // Nobody trusts the certificate yet.
    await expect(post(secure(receiver))).rejects.toThrow('No secure connection')
    trustReceiver()
    for (const host of ['other.example.com', '127.0.0.1'])
      await expect(post(secure(receiver, host))).rejects.toThrow('No secure connection')
    expect(receiver.requests).toEqual([])
    const connections = receiver.connectedAt.length
    receiver.serverNames.length = 0
    expect((await post(secure(receiver))).status).toBe(200)
    expect(receiver.serverNames).toEqual(['hooks.example.com'])
    expect(receiver.requests[0]).toContain(`Host: hooks.example.com:${receiver.port}`)
    await post(secure(receiver))
    expect(receiver.connectedAt).toHaveLength(connections + 1)
  })

  test('has the same limits, and is retried after it closes an idle connection', async () => {
    trustReceiver()
    const { post } = receiverClientForTest(names)
    const { receiver: flood, written } = await floodForTest('', '\r\n', { isSecure: true })
    await expect(post(secure(flood))).rejects.toThrow(tooLong)
    expect(written()).toBeLessThan(fewBytes)
    const talker = await listen(endWith(`HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n${'x'.repeat(60_000)}`))
    expect(await post(secure(talker))).toMatchObject(firstKilobyte)
    const receiver = await listen((socket, request, count) =>
      count === 1 ? ok(socket, request, 1) : void socket.destroy(),
    )
    await post(secure(receiver))
    expect((await post(secure(receiver))).status).toBe(200)
    expect(receiver.requests).toHaveLength(3)
  })

  test('must speak TLS', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const attempt = receiverClientForTest(names).post(`https://hooks.example.com:${port}/`)
    await expect(attempt).rejects.toThrow('No secure connection')
  })
})

describe('accepts a response', () => {
  test('of each form of HTTP/1 and any status, and returns the wait it asks for', async () => {
    const interim = ['100 Continue', '102 Processing', '103 Early Hints\r\nLink: </a>'].map(
      (line) => `HTTP/1.1 ${line}\r\n\r\n`,
    )
    for (const text of [
      'HTTP/1.0 200 OK\r\n\r\nok',
      'HTTP/1.1 200 OK\r\n\r\nok',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\no\r\n1\r\nk\r\n0\r\n\r\n',
      `${interim.join('')}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`,
    ]) {
      const { send } = await connect(endWith(text))
      expect(await send(), text).toMatchObject({ status: 200, body: 'ok' })
    }
    const { send } = await connect(endWith('HTTP/1.1 503 Busy\r\nRetry-After: 120\r\n\r\nbusy'))
    expect(await send()).toMatchObject({ status: 503, retryAfterMs: 120_000, body: 'busy' })
  })

  test('that is endless, and stores only the first KB', async () => {
    const { receiver, written } = await floodForTest('HTTP/1.1 200 OK\r\n\r\n', 'x')
    const { post } = receiverClientForTest()
    expect(await post(urlOf(receiver))).toMatchObject(firstKilobyte)
    await post(urlOf(receiver))
    expect(receiver.connectedAt).toHaveLength(2)
    expect(written()).toBeLessThan(fewBytes)
  })

  test('with what has arrived before endless extensions of chunks, digits of a length or small chunks', async () => {
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n'
    for (const drop of [`1;a=${'x'.repeat(15_000)}\r\no\r\n`, '0', '1\r\no\r\n']) {
      const { receiver, written } = await floodForTest(head, drop)
      const { status, body } = await receiverClientForTest().post(urlOf(receiver))
      expect([status, body.slice(0, 2)]).toEqual([200, 'ok'])
      expect(written()).toBeLessThan(fewBytes)
    }
  })

  test('that is too long, and stores the first KB, whether the connection stays, ends or is reset', async () => {
    const head = (bytes: number) => `HTTP/1.1 200 OK\r\nContent-Length: ${bytes}\r\n\r\n`
    const stopped = await connect(writeText(`${head(40_000)}${'x'.repeat(30_000)}`))
    expect(await stopped.send()).toMatchObject(firstKilobyte)
    for (const close of [(socket: Socket) => socket.end(), (socket: Socket) => socket.resetAndDestroy()]) {
      for (const bytes of [17, 60, 500].map((kilobytes) => kilobytes * 1024)) {
        const text = head(bytes) + 'x'.repeat(bytes)
        const { send } = await connect((socket) => void socket.write(text, () => close(socket)))
        expect(await send()).toMatchObject(firstKilobyte)
      }
    }
  })

  test('up to the limit, stores the first KB and reuses the connection', async () => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Length: 20438\r\n\r\n'
    const atLimit = head.padEnd(5 * 4096, 'x')
    expect(atLimit.length - head.length).toBe(20438)
    const short = `HTTP/1.1 200 OK\r\nContent-Length: 8000\r\n\r\n${'ä'.repeat(4000)}`
    for (const [text, body] of [
      [atLimit, 'x'.repeat(1024)],
      [short, 'ä'.repeat(512)],
    ] as const) {
      const { receiver, send } = await connect(writeText(text))
      expect((await send()).body).toBe(body)
      await send()
      expect(receiver.connectedAt).toHaveLength(1)
    }
  })
})

describe('an attempt fails', () => {
  const drip =
    (head: string, drop: string): RawResponder =>
    (socket) => {
      socket.write(head)
      const timer = setInterval(() => socket.write(drop), 10)
      socket.on('close', () => clearInterval(timer))
    }

  test('at the timeout for silence, headers or a body that drip, and silent name servers', async () => {
    const receivers = await Promise.all(
      [() => {}, drip('HTTP/1.1 200 OK\r\nX-Slow: ', 'x'), drip('HTTP/1.1 200 OK\r\n\r\n', 'x')].map((respond) =>
        rawReceiverForTest(respond),
      ),
    )
    const { config, post } = receiverClientForTest(home, shortMs)
    const resolve = () => new Promise<never>(() => {})
    const unresolved = createReceiverClient({ config, clock: systemClock, resolve })
    const { signal } = new AbortController()
    const startedAt = performance.now()
    const message = `The receiver did not respond within ${shortMs} ms.`
    await Promise.all([
      ...receivers.map((receiver) => expectFailed(post(urlOf(receiver)), message)),
      expectFailed(unresolved.post({ url: 'http://hooks.example.com/', headers: {}, body: '', signal }), message),
    ])
    // High load can only make the failures later.
    expect(performance.now() - startedAt).toBeGreaterThan(shortMs - 5)
  })

  test('for endless hints or line breaks, long before the timeout', async () => {
    const hint = 'HTTP/1.1 103 E\r\n'
    for (const drop of [`${hint}\r\n`, `${hint}Link: ${'x'.repeat(15_000)}\r\n\r\n`, '\r\n']) {
      const { receiver, written } = await floodForTest('', drop)
      await expectFailed(receiverClientForTest().post(urlOf(receiver)), tooLong)
      expect(written()).toBeLessThan(fewBytes)
    }
    // At the eleventh interim response, however slow.
    const { send } = await connect(drip('', `${hint}\r\n`))
    await expectFailed(send(), tooLong)
  })

  test('for a response that is cut anywhere', async () => {
    for (const text of [
      '',
      'HTTP/1.1 200 OK\r\nContent-Le',
      'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nhalf',
    ]) {
      const { send } = await connect(endWith(text))
      await expectFailed(send(), new RegExp(closed))
    }
  })

  test('for a response that is no HTTP/1, has too long headers or two lengths, or changes the protocol', async () => {
    for (const text of [
      'SSH-2.0-OpenSSH_9.9\r\n',
      'HTTP/9.9 200 OK\r\n\r\n',
      `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: foo\r\nConnection: Upgrade\r\n\r\n',
    ]) {
      const { send } = await connect(writeText(text))
      await expectFailed(send(), /closed the connection|is not valid HTTP|are too long/)
    }
  })

  test('for a name that does not resolve, and a rejected connection, without the address in the message', async () => {
    await expect(receiverClientForTest({}).post('http://hooks.example.com/')).rejects.toThrow('cannot be resolved')
    const closedServer = createServer().listen(0, '127.0.0.1')
    await once(closedServer, 'listening')
    const { port } = closedServer.address() as AddressInfo
    await new Promise((resolve) => closedServer.close(resolve))
    // The system rejects a connection to the broadcast address without sending anything.
    const { post } = receiverClientForTest({
      'deaf.example.com': ['127.0.0.1', '127.0.0.2'],
      'lost.example.com': ['255.255.255.255', '127.0.0.1'],
    })
    const send = (name: string) => post(`http://${name}:${port}/`)
    await expectFailed(send('deaf.example.com'), /^The receiver refused the connection\. \(ECONNREFUSED\)$/)
    await expectFailed(send('lost.example.com'), /^The receiver is unreachable\. \(E[A-Z]+\)$/)
  })
})

test('at the end of the process a running attempt is aborted, and none starts', async () => {
  const ending = new AbortController()
  const { receiver, post } = await connect(() => ending.abort(new Error('ending')))
  await expect(post(urlOf(receiver), ending.signal)).rejects.toThrow('ending')
  await expect(post(urlOf(receiver), AbortSignal.abort(new Error('ended')))).rejects.toThrow('ended')
  expect(receiver.connectedAt).toHaveLength(1)
})
