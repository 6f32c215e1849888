/**
 * POST requests over persistent connections, to compare webhook deliveries with: no signing, claiming or recording.
 * Usage: webhooks.ts URL BODY COUNT CONNECTIONS; prints {"perSecond"}.
 */
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'

const [url = '', body = '', count = '1', connections = '1'] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true })
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
let left = Number(count)

await post()
const begin = performance.now()
await Promise.all(Array.from({ length: Number(connections) }, postUntilDone))
console.log(JSON.stringify({ perSecond: Number(count) / ((performance.now() - begin) / 1000) }))
agent.destroy()

async function postUntilDone(): Promise<void> {
  while (left-- > 0) await post()
}

async function post(): Promise<void> {
  const sent = request(url, { method: 'POST', agent, headers }).end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  answer.resume()
  await once(answer, 'end')
}
