import { once } from 'node:events'
import { join } from 'node:path'
import { spawnNode } from './children.ts'
import type { Job, Outcome } from './load-jobs.ts'

/** A job under way: `done` resolves at its own end, `finish` ends it now and resolves with what it did. */
export type Underway = { done: Promise<Outcome>; finish: () => Promise<Outcome> }

/** A process of its own that makes requests; it runs any number of jobs, also at once. */
export type Generator = { start: (job: Job) => Underway; run: (job: Job) => Promise<Outcome> }

/** Starts a load generator, on one core if one is named. */
export function startGenerator(core?: number): Generator {
  const child = spawnNode([join(import.meta.dirname, 'load-process.ts')], {
    core,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const waiting = new Map<number, (outcome: Outcome) => void>()
  const ended = once(child, 'exit').then(() => {
    throw new Error('the load generator ended early')
  })
  ended.catch(() => waiting.clear())
  let last = 0

  child.on('message', ({ id, outcome }: { id: number; outcome: Outcome }) => {
    waiting.get(id)?.(outcome)
    waiting.delete(id)
  })

  const start = (job: Job): Underway => {
    const id = ++last
    const answered = new Promise<Outcome>((resolve) => waiting.set(id, resolve))
    const done = Promise.race([answered, ended])
    // Whoever awaits `done` hears of a failure; until then it must not bring the bench down.
    done.catch(() => waiting.delete(id))
    child.send({ id, job })
    return {
      done,
      finish() {
        child.send({ id })
        return done
      },
    }
  }
  return { start, run: (job) => start(job).done }
}
