import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawnNode } from './children.ts'

/** A complete post: the port of the receiver, the name of the event in it, and the time by `clockMs`. */
export type ReceivedPost = { port: number; subject: string; atMs: number }

/**
 * `open`: the number of receivers; `hang`: the ports that do not respond from now on; `take`: returns and removes the
 * recorded posts.
 */
export type ReceiverCommand = { open?: number; hang?: readonly number[]; take?: boolean }

/** `count` is the number of posts that are not taken yet. */
export type ReceiverState = { ports: number[]; count: number; receivedPosts: ReceivedPost[] }

export type Receivers = {
  ports: readonly number[]
  /** Makes exactly these ports hang. */
  hang: (ports: readonly number[]) => Promise<void>
  /** Resolves with the posts since the last call when there are at least `count`. Rejects after `withinSeconds`. */
  take: (count: number, withinSeconds?: number) => Promise<ReceivedPost[]>
}

const pollIntervalMs = 20

/** Milliseconds of a monotonic clock that all processes of the machine share. */
export function clockMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

export async function startReceivers(count: number, core?: number): Promise<Receivers> {
  const child = spawnNode([join(import.meta.dirname, 'receiver-process.ts')], {
    core,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const waiting = new Map<number, (answer: ReceiverState) => void>()
  let last = 0
  child.on('message', ({ id, answer }: { id: number; answer: ReceiverState }) => {
    waiting.get(id)?.(answer)
    waiting.delete(id)
  })
  const ended = once(child, 'exit').then(() => {
    throw new Error('the receivers ended early')
  })
  ended.catch(() => waiting.clear())

  const sendRequest = (command: ReceiverCommand): Promise<ReceiverState> => {
    const id = ++last
    const answered = new Promise<ReceiverState>((resolve) => waiting.set(id, resolve))
    child.send({ id, command })
    return Promise.race([answered, ended])
  }
  const { ports } = await sendRequest({ open: count })
  return {
    ports,
    async hang(hanging) {
      await sendRequest({ hang: hanging })
    },
    async take(minCount, withinSeconds = 60) {
      const end = clockMs() + withinSeconds * 1000
      for (;;) {
        const { count: arrived } = await sendRequest({})
        if (arrived >= minCount) return (await sendRequest({ take: true })).receivedPosts
        if (clockMs() > end) throw new Error(`${arrived} of ${minCount} deliveries have arrived`)
        await sleep(pollIntervalMs)
      }
    },
  }
}
