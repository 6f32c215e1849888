import { connect } from 'node:net'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../configuration/config.ts'
import { createHttp } from './create-http.ts'

async function serverForTest() {
  const app = createHttp(readConfig({}), pino({ level: 'silent' }))
  app.server.keepAliveTimeout = 50
  app.get('/', async () => 'done')
  app.post('/', async () => 'done')
  app.post('/late', async () => {
    // Longer than the idle timeout, and than the second that Node.js adds to it.
    await new Promise((resolve) => setTimeout(resolve, 1500))
    return 'done'
  })
  const received = Promise.withResolvers<void>()
  app.addHook('onRequest', async () => received.resolve())
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  return { port: Number(new URL(url).port), received: received.promise }
}

const withBody = 'content-type: application/json\r\ncontent-length: 2\r\n\r\n{}'

test.each([
  ['a request without a body', 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'],
  ['a request with a body', `POST / HTTP/1.1\r\nhost: x\r\n${withBody}`],
  ['an early rejection', `POST /nowhere HTTP/1.1\r\nhost: x\r\n${withBody}`],
  ['an answer that takes longer than that', `POST /late HTTP/1.1\r\nhost: x\r\n${withBody}`],
])('closes a connection that is idle after %s', async (_name, request) => {
  const { port, received } = await serverForTest()
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let answer = ''
  socket.on('data', (bytes) => {
    answer += bytes
  })
  const [head, body] = request.split('{}')
  socket.write(head ?? '')
  await received
  if (body !== undefined) socket.write('{}')
  await expect.poll(() => socket.closed).toBe(true)
  expect(answer).toMatch(/^HTTP\/1.1 (200|404) /)
})
