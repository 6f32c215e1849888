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
import { systemClock } from '../../platform/clock.ts'
import { readConfig } from '../../platform/config.ts'
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

describe('a delivery is one POST', () => {
  test('sends the exact bytes to the path and host name of the URL', async () => {
    const receiver = await rawReceiverForTest(ok)
    const { post } = receiverClientForTest()
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

  test('connects to the address that accepts the connection', async () => {
    const receiver = await rawReceiverForTest(ok)
    const { post } = receiverClientForTest({ 'hooks.example.com': ['::1', '127.0.0.1'] })
    expect((await post(urlOf(receiver))).status).toBe(200)
  })

  test('connects to an IP address in the URL', async () => {
    const receiver = await rawReceiverForTest(ok)
    const { post, asked } = receiverClientForTest()
    expect((await post(urlOf(receiver, '127.0.0.1'))).status).toBe(200)
    expect(asked).toEqual([])
  })
})

describe('a delivery goes only to the checked address', () => {
  test('looks up the name once per attempt', async () => {
    const receiver = await rawReceiverForTest(ok)
    const { post, asked } = receiverClientForTest()
    await post(urlOf(receiver))
    expect(asked).toEqual(['hooks.example.com'])
    await post(urlOf(receiver))
    expect(asked).toHaveLength(2)
  })

  test('reuses a connection while the name has the same addresses', async () => {
    const receiver = await rawReceiverForTest(ok)
    const { post, names } = receiverClientForTest()
    await post(urlOf(receiver))
    await post(urlOf(receiver))
    expect(receiver.connectedAt).toEqual(['127.0.0.1'])
    names['hooks.example.com'] = ['127.0.0.2']
    await post(urlOf(receiver))
    await post(urlOf(receiver))
    expect(receiver.connectedAt).toEqual(['127.0.0.1', '127.0.0.2'])
    names['hooks.example.com'] = ['127.0.0.1']
    await post(urlOf(receiver))
    expect(receiver.connectedAt).toHaveLength(2)
  })

  test('uses no open connection after the name resolves to a rejected address', async () => {
    const receiver = await rawReceiverForTest(ok)
    const { post, config } = receiverClientForTest()
    await post(urlOf(receiver))
    config.webhooks.allowPrivateUrls = false
    await expect(post(urlOf(receiver))).rejects.toThrow(RejectedAddress)
    expect(receiver.requests).toHaveLength(1)
  })

  test('shares no connection between receivers', async () => {
    const receiver = await rawReceiverForTest(ok)
    const { post } = receiverClientForTest({ 'hooks.example.com': ['127.0.0.1'], 'other.example.com': ['127.0.0.1'] })
    await post(urlOf(receiver))
    await post(urlOf(receiver, 'other.example.com'))
    expect(receiver.connectedAt).toHaveLength(2)
    expect(receiver.requests[1]).toContain(`Host: other.example.com:${receiver.port}`)
  })

  test('does not take unrequested data for the next response', async () => {
    const closed = Promise.withResolvers<void>()
    const receiver = await rawReceiverForTest((socket, request, count) => {
      socket.once('close', () => closed.resolve())
      ok(socket, request, count)
      if (count === 1) setImmediate(() => ok(socket, request, count))
    })
    const { post } = receiverClientForTest()
    await post(urlOf(receiver))
    await closed.promise
    expect((await post(urlOf(receiver))).status).toBe(200)
    expect(receiver.connectedAt).toHaveLength(2)
  })

  test('does not take a second response for the next one, wherever the first one ends', async () => {
    for (const bytes of [4000, 4096, 8192, 8200]) {
      const head = 'HTTP/1.1 200 OK\r\nContent-Length: '
      const first = `${head}${bytes - head.length - 8}\r\n\r\n`.padEnd(bytes, 'x')
      expect(first).toHaveLength(bytes)
      const receiver = await rawReceiverForTest((socket) => void socket.write(`${first}HTTP/1.1 500 No\r\n\r\n`))
      const { post } = receiverClientForTest()
      expect((await post(urlOf(receiver))).status).toBe(200)
      expect((await post(urlOf(receiver))).status).toBe(200)
      expect(receiver.connectedAt).toHaveLength(2)
    }
  })

  test('takes redirects for responses and does not follow them', async () => {
    const elsewhere = await rawReceiverForTest(ok)
    for (const status of [301, 302, 303, 307, 308]) {
      const receiver = await rawReceiverForTest(
        respondWithLines(`HTTP/1.1 ${status} Moved`, `Location: ${urlOf(elsewhere)}`, 'Content-Length: 0', '', ''),
      )
      expect((await receiverClientForTest().post(urlOf(receiver))).status).toBe(status)
    }
    expect(elsewhere.connectedAt).toEqual([])
  })
})

describe('an idle connection', () => {
  const hangUp: RawResponder = (socket) => void socket.destroy()
  const reset: RawResponder = (socket) => void socket.resetAndDestroy()

  test.each([
    ['end', (socket: Socket) => socket.end()],
    ['reset', (socket: Socket) => socket.resetAndDestroy()],
  ])('may %s at any moment after a response without a failed delivery', async (_how, close) => {
    let answers = 0
    const receiver = await rawReceiverForTest((socket, request, count) => {
      if (!socket.writable) return
      ok(socket, request, count)
      // The delays vary, so that the connection closes before, during or after the next request.
      const afterMs = answers++ % 6
      if (afterMs === 0) setImmediate(close, socket)
      else setTimeout(close, afterMs, socket)
    })
    const { post } = receiverClientForTest()
    for (let sent = 0; sent < 100; sent++) expect((await post(urlOf(receiver))).body).toBe('ok')
    expect(receiver.connectedAt.length).toBeGreaterThan(5)
  })

  test.each([
    ['ends', hangUp],
    ['is reset', reset],
  ])('that %s before a response is replaced by a new one for the same request', async (_how, breakOff) => {
    const receiver = await rawReceiverForTest((socket, request, count) =>
      count === 1 ? ok(socket, request, count) : breakOff(socket, request, count),
    )
    const { post } = receiverClientForTest()
    await Promise.all([post(urlOf(receiver)), post(urlOf(receiver))])
    expect((await post(urlOf(receiver))).status).toBe(200)
    expect(receiver.connectedAt).toHaveLength(3)
    const [, , first, again] = receiver.requests
    expect(again?.replace('Connection: close', 'Connection: keep-alive')).toBe(first)
  })

  test('is replaced by a new one only once', async () => {
    const receiver = await rawReceiverForTest((socket, request) =>
      receiver.requests.length === 1 ? ok(socket, request, 1) : hangUp(socket, request, 1),
    )
    const { post } = receiverClientForTest()
    await post(urlOf(receiver))
    await expect(post(urlOf(receiver))).rejects.toThrow('The receiver closed the connection')
    expect(receiver.requests).toHaveLength(3)
  })

  test.each([
    ['that is new', 1, ''],
    ['that has begun an answer', 2, 'HTTP/1.1 200 OK\r\nContent-Le'],
  ])('is a special case: nothing is sent again over a connection %s', async (_which, last, text) => {
    const receiver = await rawReceiverForTest((socket, request, count) =>
      count < last ? ok(socket, request, count) : void socket.end(text),
    )
    const { post } = receiverClientForTest()
    for (let sent = 1; sent < last; sent++) await post(urlOf(receiver))
    await expect(post(urlOf(receiver))).rejects.toThrow('The receiver closed the connection')
    expect(receiver.requests).toHaveLength(last)
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

  test('is verified by its name, not by its address', async () => {
    trustReceiver()
    const receiver = await rawReceiverForTest(ok, { isSecure: true })
    const { post } = receiverClientForTest(names)
    expect((await post(secure(receiver))).status).toBe(200)
    expect(receiver.serverNames).toEqual(['hooks.example.com'])
    expect(receiver.requests[0]).toContain(`Host: hooks.example.com:${receiver.port}`)
    await post(secure(receiver))
    expect(receiver.connectedAt).toHaveLength(1)
  })

  test('has the same limits, and is retried after it closes an idle connection', async () => {
    trustReceiver()
    const { receiver: flood, written } = await floodForTest('', '\r\n', { isSecure: true })
    await expect(receiverClientForTest(names).post(secure(flood))).rejects.toThrow(
      'response of the receiver is too long',
    )
    expect(written()).toBeLessThan(50_000_000)
    const long = `HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n${'x'.repeat(60_000)}`
    const talker = await rawReceiverForTest((socket) => void socket.end(long), { isSecure: true })
    expect(await receiverClientForTest(names).post(secure(talker))).toMatchObject({
      status: 200,
      body: 'x'.repeat(1024),
    })
    const closing: RawResponder = (socket, request, count) =>
      count === 1 ? ok(socket, request, 1) : void socket.destroy()
    const receiver = await rawReceiverForTest(closing, { isSecure: true })
    const { post } = receiverClientForTest(names)
    await post(secure(receiver))
    expect((await post(secure(receiver))).status).toBe(200)
    expect(receiver.requests).toHaveLength(3)
  })

  test('must have a certificate for its name', async () => {
    trustReceiver()
    const receiver = await rawReceiverForTest(ok, { isSecure: true })
    for (const host of ['other.example.com', '127.0.0.1']) {
      await expect(receiverClientForTest(names).post(secure(receiver, host))).rejects.toThrow('No secure connection')
    }
    expect(receiver.requests).toEqual([])
  })

  test('must have a trusted certificate', async () => {
    const receiver = await rawReceiverForTest(ok, { isSecure: true })
    await expect(receiverClientForTest(names).post(secure(receiver))).rejects.toThrow('No secure connection')
    expect(receiver.requests).toEqual([])
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
  test.each([
    ['of HTTP/1.0, without a length', 'HTTP/1.0 200 OK\r\n\r\nok'],
    ['that ends with its connection', 'HTTP/1.1 200 OK\r\n\r\nok'],
    ['in chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\no\r\n1\r\nk\r\n0\r\n\r\n'],
    [
      'after what is said before it',
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
    ],
  ])('%s', async (_what, text) => {
    const receiver = await rawReceiverForTest((socket) => void socket.end(text))
    expect(await receiverClientForTest().post(urlOf(receiver))).toMatchObject({ status: 200, body: 'ok' })
  })

  test('with any status, and returns the wait it asks for', async () => {
    const receiver = await rawReceiverForTest(
      respondWithLines('HTTP/1.1 503 Busy', 'Retry-After: 120', 'Content-Length: 4', '', 'busy'),
    )
    expect(await receiverClientForTest().post(urlOf(receiver))).toMatchObject({
      status: 503,
      retryAfterMs: 120_000,
      body: 'busy',
    })
  })

  test('that is endless, and stores only the first KB', async () => {
    const { receiver, written } = await floodForTest('HTTP/1.1 200 OK\r\n\r\n', 'x')
    const { post } = receiverClientForTest()
    expect(await post(urlOf(receiver))).toMatchObject({ status: 200, body: 'x'.repeat(1024) })
    await post(urlOf(receiver))
    expect(receiver.connectedAt).toHaveLength(2)
    expect(written()).toBeLessThan(50_000_000)
  })

  test.each([
    ['extensions of chunks', `1;a=${'x'.repeat(15_000)}\r\no\r\n`],
    ['digits of a length', '0'],
    ['chunks of one byte', '1\r\no\r\n'],
  ])('with what has arrived before endless %s', async (_what, drop) => {
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n'
    const { receiver, written } = await floodForTest(head, drop)
    const { status, body } = await receiverClientForTest().post(urlOf(receiver))
    expect([status, body.slice(0, 2)]).toEqual([200, 'ok'])
    expect(written()).toBeLessThan(50_000_000)
  })

  test('that stops after 30 of 40 KB, and stores the first KB at once', async () => {
    const receiver = await rawReceiverForTest(
      respondWithLines('HTTP/1.1 200 OK', 'Content-Length: 40000', '', 'x'.repeat(30_000)),
    )
    expect(await receiverClientForTest().post(urlOf(receiver))).toMatchObject({ status: 200, body: 'x'.repeat(1024) })
  })

  test.each([
    ['ends', (socket: Socket) => socket.end()],
    ['is reset', (socket: Socket) => socket.resetAndDestroy()],
  ])('that is too long, and stores the first KB if the connection then %s', async (_how, close) => {
    for (const kilobytes of [17, 60, 128, 500]) {
      const text = `HTTP/1.1 200 OK\r\nContent-Length: ${kilobytes * 1024}\r\n\r\n${'x'.repeat(kilobytes * 1024)}`
      const receiver = await rawReceiverForTest((socket) => void socket.write(text, () => close(socket)))
      expect(await receiverClientForTest().post(urlOf(receiver))).toMatchObject({ status: 200, body: 'x'.repeat(1024) })
    }
  })

  test('of 8000 bytes, stores the first KB and reuses the connection', async () => {
    const receiver = await rawReceiverForTest(
      respondWithLines('HTTP/1.1 200 OK', 'Content-Length: 8000', '', 'ä'.repeat(4000)),
    )
    const { post } = receiverClientForTest()
    expect((await post(urlOf(receiver))).body).toBe('ä'.repeat(512))
    await post(urlOf(receiver))
    expect(receiver.connectedAt).toHaveLength(1)
  })
})

test('accepts a response that ends exactly at the limit', async () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 20438\r\n\r\n'
  const text = head.padEnd(5 * 4096, 'x')
  expect(text.length - head.length).toBe(20438)
  const receiver = await rawReceiverForTest((socket) => void socket.write(text))
  const { post } = receiverClientForTest()
  expect((await post(urlOf(receiver))).body).toBe('x'.repeat(1024))
  await post(urlOf(receiver))
  expect(receiver.connectedAt).toHaveLength(1)
})

describe('an attempt fails', () => {
  const drip = (head: string, drop: string) =>
    rawReceiverForTest((socket) => {
      socket.write(head)
      const timer = setInterval(() => socket.write(drop), 10)
      socket.on('close', () => clearInterval(timer))
    })

  test.each([
    ['silence', () => rawReceiverForTest(() => {})],
    ['headers that drip', () => drip('HTTP/1.1 200 OK\r\nX-Slow: ', 'x')],
    ['a body that drips', () => drip('HTTP/1.1 200 OK\r\n\r\n', 'x')],
  ])('for %s, at the timeout', async (_what, start) => {
    const receiver = await start()
    const startedAt = performance.now()
    const failure = await receiverClientForTest(home, shortMs)
      .post(urlOf(receiver))
      .catch((error) => error)
    expect(failure).toBeInstanceOf(PostFailed)
    expect(failure.message).toBe(`The receiver did not respond within ${shortMs} ms.`)
    // High load can only make the failure later.
    expect(performance.now() - startedAt).toBeGreaterThan(shortMs - 5)
  })

  test.each([
    ['hints', '', 'HTTP/1.1 103 E\r\n\r\n'],
    ['hints with long headers', '', `HTTP/1.1 103 E\r\nLink: ${'x'.repeat(15_000)}\r\n\r\n`],
    ['line breaks', '', '\r\n'],
  ])('for endless %s, long before the timeout', async (_what, head, drop) => {
    const { receiver, written } = await floodForTest(head, drop)
    const failure = await receiverClientForTest()
      .post(urlOf(receiver))
      .catch((error) => error)
    expect(failure).toBeInstanceOf(PostFailed)
    expect(failure.message).toBe('The response of the receiver is too long.')
    expect(written()).toBeLessThan(50_000_000)
  })

  test('at the eleventh interim response, however slow', async () => {
    const receiver = await drip('', 'HTTP/1.1 103 Early Hints\r\n\r\n')
    await expect(receiverClientForTest().post(urlOf(receiver))).rejects.toThrow('response of the receiver is too long')
  })

  test('at the timeout if name servers do not respond', async () => {
    const { config } = receiverClientForTest(home, shortMs)
    const receiverClient = createReceiverClient({ config, clock: systemClock, resolve: () => new Promise(() => {}) })
    const { signal } = new AbortController()
    const attempt = receiverClient.post({ url: 'http://hooks.example.com/', headers: {}, body: '', signal })
    await expect(attempt).rejects.toThrow('did not respond within')
  })

  test.each([
    ['before it', '', 'The receiver closed the connection'],
    ['in its headers', 'HTTP/1.1 200 OK\r\nContent-Le', 'The receiver closed the connection'],
    ['in its body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf', 'The receiver closed the connection'],
    [
      'in a chunk',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nhalf',
      'The receiver closed the connection',
    ],
  ])('for a response that is cut %s', async (_where, text, message) => {
    const receiver = await rawReceiverForTest((socket) => void socket.end(text))
    const failure = await receiverClientForTest()
      .post(urlOf(receiver))
      .catch((error) => error)
    expect(failure).toBeInstanceOf(PostFailed)
    expect(failure.message).toContain(message)
  })

  test.each([
    ['of another protocol', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['of no known version', 'HTTP/9.9 200 OK\r\n\r\n'],
    ['with headers of 20 KB', `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['with two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok'],
    [
      'that wants to speak otherwise',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: foo\r\nConnection: Upgrade\r\n\r\n',
    ],
  ])('for a response %s', async (_what, text) => {
    const receiver = await rawReceiverForTest((socket) => void socket.write(text))
    const failure = await receiverClientForTest()
      .post(urlOf(receiver))
      .catch((error) => error)
    expect(failure).toBeInstanceOf(PostFailed)
    expect(failure.message).toMatch(/closed the connection|is not valid HTTP|are too long/)
  })

  test('for a name that does not resolve', async () => {
    await expect(receiverClientForTest({}).post('http://hooks.example.com/')).rejects.toThrow('cannot be resolved')
  })

  test('if the connection is rejected, without the address in the message', async () => {
    const closedServer = createServer().listen(0, '127.0.0.1')
    await once(closedServer, 'listening')
    const { port } = closedServer.address() as AddressInfo
    await new Promise((resolve) => closedServer.close(resolve))
    // The system rejects a connection to the broadcast address without sending anything.
    const names = {
      'deaf.example.com': ['127.0.0.1', '127.0.0.2'],
      'lost.example.com': ['255.255.255.255', '127.0.0.1'],
    }
    const { post } = receiverClientForTest(names)
    const failures = await Promise.all(
      Object.keys(names).map((name) => post(`http://${name}:${port}/`).catch((error) => error)),
    )
    for (const failure of failures) expect(failure).toBeInstanceOf(PostFailed)
    expect(failures.map(({ message }) => message)).toEqual([
      'The receiver refused the connection. (ECONNREFUSED)',
      expect.stringMatching(/^The receiver is unreachable\. \(E[A-Z]+\)$/),
    ])
  })
})

describe('at the end of the process', () => {
  test('aborts a running attempt', async () => {
    const ending = new AbortController()
    const receiver = await rawReceiverForTest(() => ending.abort(new Error('ending')))
    await expect(receiverClientForTest().post(urlOf(receiver), ending.signal)).rejects.toThrow('ending')
  })

  test('starts no attempt', async () => {
    const receiver = await rawReceiverForTest(ok)
    await expect(receiverClientForTest().post(urlOf(receiver), AbortSignal.abort(new Error('ended')))).rejects.toThrow(
      'ended',
    )
    expect(receiver.connectedAt).toEqual([])
  })
})
