import { once } from 'node:events'
import { join } from 'node:path'
import { spawnNode } from './children.ts'
import type { Job, Outcome } from './load-jobs.ts'

/** `done` resolves with the outcome when the job ends. `finish` ends the job early and returns `done`. */
export type RunningJob = { done: Promise<Outcome>; finish: () => Promise<Outcome> }

/** A separate process that sends requests; it can run several jobs at once. */
export type Generator = { start: (job: Job) => RunningJob; run: (job: Job) => Promise<Outcome> }

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

  const start = (job: Job): RunningJob => {
    const id = ++last
    const answered = new Promise<Outcome>((resolve) => waiting.set(id, resolve))
    const done = Promise.race([answered, ended])
    // Code that awaits `done` gets the error. Until then, the rejection would be unhandled without this handler.
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
