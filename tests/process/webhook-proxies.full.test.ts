import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { rawReceiverForTest, respondWithLines } from '../support/webhooks/raw-receiver.ts'

/**
 * A program that posts once to each address. Every name resolves to 127.0.0.1. Then it requests the first address with
 * the default agent of Node.
 */
const program = `
import { get } from 'node:http'
import { readConfig } from './server/platform/configuration/config.ts'
import { createReceiverClient } from './server/webhooks/receivers/post-to-receiver.ts'
const receivers = createReceiverClient({
  config: readConfig({ WEBHOOK_ALLOW_PRIVATE_URLS: 'true' }),
  clock: Date,
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
})
const [plain, secure] = process.argv.slice(1)
const { signal } = new AbortController()
const post = (url) => receivers.post({ url, headers: {}, body: '', signal }).then(({ status }) => status, String)
const results = [await post(plain), await post(secure)]
await new Promise((resolve) => get(plain).on('error', resolve).on('response', resolve))
receivers.close()
process.stdout.write(JSON.stringify(results))
`

async function startRecordingProxy(): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (data) => {
      asked.push(String(data).split('\r\n')[0] ?? '')
      socket.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, asked }
}

test('no environment variable sends webhooks through a proxy or disables the check of certificates', async () => {
  const response = respondWithLines('HTTP/1.1 200 OK', 'Content-Length: 0', '', '')
  const plain = await rawReceiverForTest(response)
  const secure = await rawReceiverForTest(response, { isSecure: true })
  const proxy = await startRecordingProxy()
  const addresses = [`http://hooks.example.com:${plain.port}/`, `https://hooks.example.com:${secure.port}/`]
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', program, ...addresses],
    {
      timeout: 60_000,
      env: {
        NODE_USE_ENV_PROXY: '1',
        HTTP_PROXY: proxy.url,
        HTTPS_PROXY: proxy.url,
        ALL_PROXY: proxy.url,
        http_proxy: proxy.url,
        https_proxy: proxy.url,
        NODE_TLS_REJECT_UNAUTHORIZED: '0',
        NODE_NO_WARNINGS: '1',
      },
    },
  )
  expect(JSON.parse(stdout)).toEqual([200, expect.stringContaining('No secure connection')])
  expect(plain.requests).toHaveLength(1)
  expect(secure.requests).toEqual([])
  // The environment variables have an effect: the request with the default agent uses the proxy.
  expect(proxy.asked).toEqual([`GET ${addresses[0]} HTTP/1.1`])
})
