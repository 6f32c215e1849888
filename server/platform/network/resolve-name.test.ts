import { isIP } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createNameResolver, type ResolveName } from './resolve-name.ts'

const home = [{ address: '192.0.2.7', family: 4 }]

/** Name servers whose responses the test controls. */
function nameServers() {
  const asked: string[] = []
  const waiting = new Map<string, () => void>()
  const ask: ResolveName = (name) => {
    asked.push(name)
    return new Promise((resolve) => waiting.set(name, () => resolve(home)))
  }
  const answer = async (name: string) => {
    await vi.advanceTimersByTimeAsync(0)
    waiting.get(name)?.()
    await vi.advanceTimersByTimeAsync(0)
  }
  return { resolve: createNameResolver(ask), asked, answer }
}

function withFakeTime(): void {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
}

test('names are looked up like the operating system, with all addresses', async () => {
  const addresses = await createNameResolver()('localhost')
  expect(addresses.length).toBeGreaterThan(0)
  for (const { address, family } of addresses) expect(isIP(address)).toBe(family)
  await expect(createNameResolver()('no-such-name.invalid')).rejects.toThrow()
})

test('names are looked up once for concurrent calls, and again for later ones', async () => {
  withFakeTime()
  const { resolve, asked, answer } = nameServers()
  const both = Promise.all([resolve('a.example'), resolve('a.example')])
  await answer('a.example')
  expect(await both).toEqual([home, home])
  const later = resolve('a.example')
  await answer('a.example')
  expect(await later).toEqual(home)
  expect(asked).toEqual(['a.example', 'a.example'])
})

test('names are looked up two at a time, because files need the other threads', async () => {
  withFakeTime()
  const { resolve, asked, answer } = nameServers()
  const all = ['a', 'b', 'c'].map((name) => resolve(name))
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toEqual(['a', 'b'])
  await answer('b')
  expect(asked).toEqual(['a', 'b', 'c'])
  await answer('a')
  await answer('c')
  await Promise.all(all)
})

test('names are looked up without waiting for names that were slow before', async () => {
  withFakeTime()
  const { resolve, asked, answer } = nameServers()
  const slow = ['a', 'b', 'c']
  const first = slow.map((name) => resolve(name))
  for (const name of slow) {
    await vi.advanceTimersByTimeAsync(1500)
    await answer(name)
  }
  await Promise.all(first)
  const again = slow.map((name) => resolve(name))
  const quick = ['x', 'y'].map((name) => resolve(name))
  await vi.advanceTimersByTimeAsync(0)
  expect(asked.slice(3)).toEqual(['a', 'x', 'y'])
  for (const name of ['x', 'y', ...slow]) await answer(name)
  await Promise.all([...again, ...quick])
})
