import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import pLimit from 'p-limit'
import { seconds } from '../time/clock.ts'

/** Returns all addresses of a host name. Rejects when there is none or the look-up fails. */
export type ResolveName = (name: string) => Promise<LookupAddress[]>

const slowMs = seconds(1)
const maxSlowNames = 1000

/**
 * Resolves names like the operating system, including its hosts file. Concurrent look-ups of one name share the result.
 *
 * A look-up cannot be canceled and occupies one of the libuv threads, which read files, too. At most two run at once,
 * plus one for names whose last look-up was slow, so that such names delay only each other.
 */
export function createNameResolver(lookUpName: ResolveName = lookUpInSystem): ResolveName {
  const limited = pLimit(2)
  const limitedSlow = pLimit(1)
  const slowNames = new Set<string>()
  const pending = new Map<string, Promise<LookupAddress[]>>()

  async function lookUpTimed(name: string): Promise<LookupAddress[]> {
    const startedAt = performance.now()
    try {
      return await lookUpName(name)
    } finally {
      const isSlow = performance.now() - startedAt > slowMs
      if (!isSlow) slowNames.delete(name)
      else if (slowNames.size < maxSlowNames) slowNames.add(name)
    }
  }

  return (name) => {
    const known = pending.get(name)
    if (known) return known
    const limit = slowNames.has(name) ? limitedSlow : limited
    const pendingLookUp = limit(() => lookUpTimed(name)).finally(() => pending.delete(name))
    pending.set(name, pendingLookUp)
    return pendingLookUp
  }
}

const lookUpInSystem: ResolveName = (name) => lookup(name, { all: true })
