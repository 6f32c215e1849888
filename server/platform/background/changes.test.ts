import { describe, expect, test } from 'vitest'
import { Changes, StateCache } from './changes.ts'

type Value = { text: string }

/** A load that the test completes. */
function slowLoad(value: Value | undefined) {
  const { promise, resolve } = Promise.withResolvers<Value | undefined>()
  return { load: () => promise, finish: () => resolve(value) }
}

const neverLoad = () => Promise.reject(new Error('It was to be remembered'))

describe('cached state', () => {
  test('is loaded once and then cached', async () => {
    const cache = new StateCache<number, Value>(new Changes(), { max: 10 })
    expect(await cache.getOrLoad(1, async () => ({ text: 'a' }))).toEqual({ text: 'a' })
    expect(await cache.getOrLoad(1, neverLoad)).toEqual({ text: 'a' })
    expect(cache.get(1)).toEqual({ text: 'a' })
  })

  test('does not cache a missing value', async () => {
    const cache = new StateCache<number, Value>(new Changes(), { max: 10 })
    expect(await cache.getOrLoad(1, async () => undefined)).toBeUndefined()
    expect(await cache.getOrLoad(1, async () => ({ text: 'made since' }))).toEqual({ text: 'made since' })
  })

  test('drops one key, or all of them', async () => {
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
  ])('does not cache a value that was loading when %s was dropped', async (_what, change) => {
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

  test('is neither returned nor stored while the node is disconnected', async () => {
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

  test('holds at most `max` entries', async () => {
    const cache = new StateCache<number, Value>(new Changes(), { max: 3 })
    for (let key = 0; key < 10; key++) await cache.getOrLoad(key, async () => ({ text: 'a' }))
    expect(Array.from({ length: 10 }, (_, key) => cache.get(key)).filter(Boolean)).toHaveLength(3)
  })
})

describe('a change', () => {
  test('notifies all listeners of its topic before the response', () => {
    const changes = new Changes()
    const received: unknown[] = []
    changes.on('event', (key) => received.push(['first', key]))
    changes.on('event', (key) => received.push(['second', key]))
    changes.on('photo', (key) => received.push(['photos', key]))
    changes.notify('event', 7)
    expect(received).toEqual([
      ['first', 7],
      ['second', 7],
    ])
  })

  test('notifies other nodes; their changes are not sent back', () => {
    const changes = new Changes()
    const received: unknown[] = []
    changes.on('event', (key) => received.push(key))
    changes.join({ areConnected: () => true, notify: (topic, key) => received.push([topic, key]) })
    changes.notify('event', 7)
    changes.receive('event', 8)
    expect(received).toEqual([7, ['event', 7], 8])
    expect([changes.isDisconnected(), new Changes().isDisconnected()]).toEqual([false, false])
  })

  test('of another process drops everything of all topics', () => {
    const changes = new Changes()
    const received: unknown[] = []
    changes.on('event', (key) => received.push(['event', key]))
    changes.on('photo', (key) => received.push(['photo', key]))
    changes.notifyAll()
    expect(received).toEqual([
      ['event', null],
      ['photo', null],
    ])
  })
})
