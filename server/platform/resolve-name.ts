import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { createTurns } from './background/turns.ts'
import { seconds } from './clock.ts'

/** All addresses of a name. Rejects for a name that has none, or none just now. */
export type ResolveName = (name: string) => Promise<LookupAddress[]>

const slowMs = seconds(1)
const maxSlowNames = 1000

/**
 * As the machine sees names: with its hosts file, its search domains and its name servers. Those who ask for one name at
 * one time share the answer.
 *
 * A look-up holds one of the four threads that read all files, however long the name servers are silent, and cannot be
 * broken off: two at a time, and one more for the names that were slow the last time, so that they wait for each other
 * alone.
 */
export function createNameResolver(ask: ResolveName = askMachine): ResolveName {
  const inTurn = createTurns(2)
  const inSlowTurn = createTurns(1)
  const slowNames = new Set<string>()
  const underWay = new Map<string, Promise<LookupAddress[]>>()

  async function timed(name: string): Promise<LookupAddress[]> {
    const startedAt = performance.now()
    try {
      return await ask(name)
    } finally {
      const isSlow = performance.now() - startedAt > slowMs
      if (!isSlow) slowNames.delete(name)
      else if (slowNames.size < maxSlowNames) slowNames.add(name)
    }
  }

  return (name) => {
    const known = underWay.get(name)
    if (known) return known
    const turn = slowNames.has(name) ? inSlowTurn : inTurn
    const asked = turn(() => timed(name)).finally(() => underWay.delete(name))
    underWay.set(name, asked)
    return asked
  }
}

const askMachine: ResolveName = (name) => lookup(name, { all: true })
