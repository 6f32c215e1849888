import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../configuration/config.ts'
import { createHttp } from './create-http.ts'
import { createDrain } from './drain.ts'

async function serverForTest() {
  const app = createHttp(readConfig({}), pino({ level: 'silent' }))
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

async function stateOf(promise: Promise<unknown>, url: string): Promise<'waits' | 'ended'> {
  let isEnded = false
  void promise.then(() => {
    isEnded = true
  })
  await (await fetch(`${url}/live`)).text()
  return isEnded ? 'ended' : 'waits'
}

test('waits for running requests, and rejects new ones with Retry-After meanwhile', async () => {
  const { url, drain, begun, finish } = await serverForTest()
  expect(drain.isDraining()).toBe(false)
  const slow = fetch(`${url}/slow`)
  await begun
  const drained = drain.drain(60)
  expect([await stateOf(drained, url), drain.isDraining()]).toEqual(['waits', true])
  const rejected = await fetch(`${url}/quick`)
  expect(rejected.status).toBe(503)
  expect(rejected.headers.get('retry-after')).toBe('5')
  expect(await rejected.json()).toMatchObject({ code: 'UNAVAILABLE' })
  expect((await fetch(`${url}/live`)).status).toBe(200)
  finish()
  await drained
  expect(await (await slow).text()).toBe('done')
})

test('ends after the grace period even if requests still run', async () => {
  const { url, drain, begun } = await serverForTest()
  const slow = fetch(`${url}/slow`).catch(() => null)
  await begun
  await drain.drain(0.2)
  expect(await stateOf(slow, url)).toBe('waits')
})

test('does not wait for a disconnected client', async () => {
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
