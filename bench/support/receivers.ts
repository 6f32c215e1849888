import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawnNode } from './children.ts'

/** A post that has arrived whole: at which receiver, the name of the event it tells of, and when by `clockMs`. */
export type Arrival = { port: number; subject: string; atMs: number }

/** `open`: so many receivers in all; `hang`: the ports that answer nothing from now on, those before them are cut off; `take`: hand over what has arrived. */
export type ReceiverQuestion = { open?: number; hang?: readonly number[]; take?: boolean }

/** `count` arrivals wait to be taken. */
export type ReceiverAnswer = { ports: number[]; count: number; arrivals: Arrival[] }

export type Receivers = {
  ports: readonly number[]
  /** Only these hang from now on. */
  hang: (ports: readonly number[]) => Promise<void>
  /** Waits until so many posts have arrived since the last call, and hands them over; throws when they do not come. */
  take: (count: number, withinSeconds?: number) => Promise<Arrival[]>
}

const lookEveryMs = 20

/** Milliseconds of a clock that all processes of the machine share. */
export function clockMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

/** Starts so many receivers in one process of their own, on one core if one is named. */
export async function startReceivers(count: number, core?: number): Promise<Receivers> {
  const child = spawnNode([join(import.meta.dirname, 'receiver-process.ts')], {
    core,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const waiting = new Map<number, (answer: ReceiverAnswer) => void>()
  let last = 0
  child.on('message', ({ id, answer }: { id: number; answer: ReceiverAnswer }) => {
    waiting.get(id)?.(answer)
    waiting.delete(id)
  })
  const ended = once(child, 'exit').then(() => {
    throw new Error('the receivers ended early')
  })
  ended.catch(() => waiting.clear())

  const ask = (question: ReceiverQuestion): Promise<ReceiverAnswer> => {
    const id = ++last
    const answered = new Promise<ReceiverAnswer>((resolve) => waiting.set(id, resolve))
    child.send({ id, question })
    return Promise.race([answered, ended])
  }
  const { ports } = await ask({ open: count })
  return {
    ports,
    async hang(hanging) {
      await ask({ hang: hanging })
    },
    async take(wanted, withinSeconds = 60) {
      const end = clockMs() + withinSeconds * 1000
      for (;;) {
        const { count: arrived } = await ask({})
        if (arrived >= wanted) return (await ask({ take: true })).arrivals
        if (clockMs() > end) throw new Error(`${arrived} of ${wanted} deliveries have arrived`)
        await sleep(lookEveryMs)
      }
    },
  }
}
