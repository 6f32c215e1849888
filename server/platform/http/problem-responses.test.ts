import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { sendMalformedRequest } from './problem-responses.ts'

const timeout = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })

/** Returns what a client receives whose connection ends with the error after it has sent `sent`. */
async function receiveAfter(sent: string): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [socket] = (await once(server, 'connection')) as [Socket]
  socket.on('error', () => undefined)
  if (sent !== '') {
    client.write(sent)
    await once(socket, 'data')
  }
  sendMalformedRequest(timeout, socket, 'id')
  return text(client)
}

test('a connection on which nothing was sent is closed without a response; slow headers get one', async () => {
  expect(await receiveAfter('')).toBe('')
  expect(await receiveAfter('GET / HTTP/1.1\r\n')).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
})
