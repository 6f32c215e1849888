import { expect, test } from 'vitest'
import { Changes, StateCache } from './changes.ts'

type Value = { text: string }

/** A load that the test completes. */
function slowLoad(value: Value | undefined) {
  const { promise, resolve } = Promise.withResolvers<Value | undefined>()
  return { load: () => promise, finish: () => resolve(value) }
}

const neverLoad = () => Promise.reject(new Error('It was to be remembered'))

test('cached state is loaded once and then cached, unless the value is missing', async () => {
  const cache = new StateCache<number, Value>(new Changes(), { max: 10 })
  expect(await cache.getOrLoad(1, async () => ({ text: 'a' }))).toEqual({ text: 'a' })
  expect(await cache.getOrLoad(1, neverLoad)).toEqual({ text: 'a' })
  expect(cache.get(1)).toEqual({ text: 'a' })
  expect(await cache.getOrLoad(2, async () => undefined)).toBeUndefined()
  expect(await cache.getOrLoad(2, async () => ({ text: 'made since' }))).toEqual({ text: 'made since' })
})

test('cached state drops one key, or all of them', async () => {
  const cache = new StateCache<number, Value>(new Changes(), { max: 10 })
  for (const key of [1, 2, 3]) await cache.getOrLoad(key, async () => ({ text: 'old' }))
  cache.dropKey(1)
  expect([1, 2, 3].map((key) => cache.get(key)?.text)).toEqual([undefined, 'old', 'old'])
  cache.drop()
  expect([1, 2, 3].map((key) => cache.get(key)?.text)).toEqual([undefined, undefined, undefined])
})

test.each([
  ['everything', (cache: StateCache<number, Value>) => cache.drop()],
  ['its key', (cache: StateCache<number, Value>) => cache.dropKey(1)],
])('cached state does not cache a value that was loading when %s was dropped', async (_what, change) => {
  const cache = new StateCache<number, Value>(new Changes(), { max: 10 })
  const { load, finish } = slowLoad({ text: 'read before the change' })
  const reading = cache.getOrLoad(1, load)
  change(cache)
  finish()
  await reading
  expect(cache.get(1)).toBeUndefined()
  expect(await cache.getOrLoad(1, async () => ({ text: 'new' }))).toEqual({ text: 'new' })
  expect(cache.get(1)).toEqual({ text: 'new' })
})

test('cached state is neither returned nor stored while the node is disconnected', async () => {
  const hearing = { isDisconnected: () => false }
  const cache = new StateCache<number, Value>(hearing, { max: 10 })
  await cache.getOrLoad(1, async () => ({ text: 'before' }))
  const { load, finish } = slowLoad({ text: 'half heard' })
  const reading = cache.getOrLoad(2, load)
  hearing.isDisconnected = () => true
  finish()
  await reading
  expect(cache.get(1)).toBeUndefined()
  expect(await cache.getOrLoad(1, async () => ({ text: 'read anew' }))).toEqual({ text: 'read anew' })
  await cache.getOrLoad(3, async () => ({ text: 'not heard' }))
  hearing.isDisconnected = () => false
  expect([1, 2, 3].map((key) => cache.get(key)?.text)).toEqual(['before', undefined, undefined])
})

test('cached state holds at most `max` entries', async () => {
  const cache = new StateCache<number, Value>(new Changes(), { max: 3 })
  for (let key = 0; key < 10; key++) await cache.getOrLoad(key, async () => ({ text: 'a' }))
  expect(Array.from({ length: 10 }, (_, key) => cache.get(key)).filter(Boolean)).toHaveLength(3)
})

test('a change notifies the listeners of its topic before the response; one of another process those of all topics', () => {
  const changes = new Changes()
  const received: unknown[] = []
  changes.on('event', (key) => received.push(`first ${key}`))
  changes.on('event', (key) => received.push(`second ${key}`))
  changes.on('photo', (key) => received.push(`photo ${key}`))
  changes.notify('event', 7)
  expect(received.splice(0)).toEqual(['first 7', 'second 7'])
  changes.notifyAll()
  expect(received).toEqual(['first null', 'second null', 'photo null'])
})
test('a change notifies other nodes; their changes are not sent back', () => {
  const changes = new Changes()
  const received: unknown[] = []
  changes.on('event', (key) => received.push(key))
  changes.join({ areConnected: () => true, notify: (topic, key) => received.push([topic, key]) })
  changes.notify('event', 7)
  changes.receive('event', 8)
  expect(received).toEqual([7, ['event', 7], 8])
  expect([changes.isDisconnected(), new Changes().isDisconnected()]).toEqual([false, false])
})
