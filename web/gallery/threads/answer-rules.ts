import type { GuestThread } from '../../../contract/gallery/threads.ts'

/** The last answer of the photographer that the guest has seen, by thread. */
export type SeenAnswers = Readonly<Record<string, number>>

export type AnsweredThread = Pick<GuestThread, 'id' | 'is_own'> & {
  messages: ReadonlyArray<Pick<GuestThread['messages'][number], 'id' | 'by' | 'is_own'>>
}

/** Returns the id of the last answer of the photographer; 0 if there is none, or if the guest has answered it. */
export function findNewAnswer({ messages }: AnsweredThread): number {
  const last = messages.findLast(({ by, is_own }) => by === 'operator' || is_own)
  return last?.by === 'operator' ? last.id : 0
}

export const isUnseen = (thread: AnsweredThread, seen: SeenAnswers): boolean =>
  thread.is_own && findNewAnswer(thread) > (seen[thread.id] ?? 0)

/** The list of answered threads, which has the newest ones, is shorter. */
const maxSeen = 200

export function addSeen(seen: SeenAnswers, threads: readonly AnsweredThread[]): SeenAnswers {
  const all = { ...seen, ...Object.fromEntries(threads.map((thread) => [thread.id, findNewAnswer(thread)])) }
  const newest = Object.entries(all).toSorted(([a], [b]) => Number(b) - Number(a))
  return Object.fromEntries(newest.slice(0, maxSeen))
}
