import { signal } from '@preact/signals'
import type { GuestThread } from '../../../contract/gallery/threads.ts'
import { readStoredJson, writeStored } from '../../shared/browser-storage.ts'
import { page } from '../state/page.ts'
import { addSeen, isUnseen, type SeenAnswers } from './answer-rules.ts'

/** Whether the guest has begun threads, so that new-answers.tsx is needed. */
export const awaitsAnswers = signal(page.has_answers === true)

const storageKey = `answers seen ${page.slug}`

const load = () => readStoredJson<SeenAnswers>('localStorage', storageKey) ?? {}

/** Without storage, it lasts as long as the page. */
export const seenAnswers = signal(load())

/** Call it when the guest reads the threads. */
export function recordSeen(threads: readonly GuestThread[]): void {
  const unseen = threads.filter((thread) => isUnseen(thread, seenAnswers.peek()))
  if (unseen.length === 0) return
  // Another tab may have stored some.
  seenAnswers.value = addSeen({ ...load(), ...seenAnswers.peek() }, unseen)
  writeStored('localStorage', storageKey, JSON.stringify(seenAnswers.peek()))
}
