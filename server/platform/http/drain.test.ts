import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../config.ts'
import { createHttp } from './create-http.ts'
import { createDrain } from './drain.ts'

/** A server with a route that answers when `finish` is called. */
async function serverForTest() {
  const app = createHttp(readConfig({}), pino({ level: 'silent' }), () => false)
  const drain = createDrain()
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  drain.install(app)
  app.get('/live', { config: { isOpenWhileDraining: true } }, async () => 'alive')
  app.get('/quick', async () => 'done')
  app.get('/slow', async () => {
    begun.resolve()
    await gate.promise
    return 'done'
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(async () => {
    gate.resolve()
    app.server.closeAllConnections()
    await app.close()
  })
  return { url, drain, begun: begun.promise, finish: gate.resolve }
}

/** What has become of a promise once another request has been answered. */
async function stateOf(promise: Promise<unknown>, url: string): Promise<'waits' | 'ended'> {
  let isEnded = false
  void promise.then(() => {
    isEnded = true
  })
  await (await fetch(`${url}/live`)).text()
  return isEnded ? 'ended' : 'waits'
}

test('draining waits for what runs, which is answered in full', async () => {
  const { url, drain, begun, finish } = await serverForTest()
  const slow = fetch(`${url}/slow`)
  await begun
  const drained = drain.drain(60)
  expect(await stateOf(drained, url)).toBe('waits')
  finish()
  await drained
  expect(await (await slow).text()).toBe('done')
})

test('while draining, new requests are refused and told when to come again', async () => {
  const { url, drain, begun, finish } = await serverForTest()
  const slow = fetch(`${url}/slow`)
  await begun
  const drained = drain.drain(60)
  expect(drain.isDraining()).toBe(true)
  const refused = await fetch(`${url}/quick`)
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('5')
  expect(await refused.json()).toMatchObject({ code: 'UNAVAILABLE' })
  expect((await fetch(`${url}/live`)).status).toBe(200)
  finish()
  await Promise.all([drained, slow])
})

test('draining ends at once when nothing runs', async () => {
  const { url, drain } = await serverForTest()
  expect(drain.isDraining()).toBe(false)
  await (await fetch(`${url}/quick`)).text()
  // Ten minutes are more than the test has.
  await drain.drain(600)
})

test('draining ends with the grace, whatever still runs', async () => {
  const { url, drain, begun } = await serverForTest()
  const slow = fetch(`${url}/slow`).catch(() => null)
  await begun
  await drain.drain(0.2)
  expect(await stateOf(slow, url)).toBe('waits')
})

test('a client that goes away is not waited for', async () => {
  const { url, drain, begun } = await serverForTest()
  const client = new AbortController()
  const slow = fetch(`${url}/slow`, { signal: client.signal }).catch(() => 'gone')
  await begun
  const drained = drain.drain(60)
  expect(await stateOf(drained, url)).toBe('waits')
  client.abort()
  expect(await slow).toBe('gone')
  await drained
})
