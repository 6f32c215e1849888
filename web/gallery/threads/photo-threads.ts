import { type Signal, signal } from '@preact/signals'
import type { GuestThread, GuestThreadList, ThreadState } from '../../../contract/gallery/threads.ts'
import { ApiError } from '../../shared/api-error.ts'
import { call } from '../state/api.ts'
import { page } from '../state/page.ts'
import { updatePhoto } from '../state/photos.ts'
import { awaitsAnswers } from './seen-answers.ts'

export type Answer = GuestThread['messages'][number]

type Threads = { list: Signal<GuestThread[] | null>; changes: number }

const known = new Map<number | null, Threads>()

function find(photoId: number | null): Threads {
  const threads = known.get(photoId) ?? { list: signal(null), changes: 0 }
  known.set(photoId, threads)
  return threads
}

/** The threads of a photo, oldest first, or about the whole gallery if `photoId` is null. Null until they are loaded. */
export const getThreads = (photoId: number | null): Signal<GuestThread[] | null> => find(photoId).list

/** Throws ApiError or Unreachable. */
export async function loadThreads(photoId: number | null): Promise<void> {
  const threads = find(photoId)
  try {
    await loadAll(photoId, threads)
  } catch (error) {
    // Guests do not see the photo any more.
    if (error instanceof ApiError && error.status === 404) threads.list.value = []
    throw error
  }
}

async function loadAll(photoId: number | null, threads: Threads): Promise<void> {
  const change = ++threads.changes
  const loaded: GuestThread[] = []
  for (let number = 1, pages = 1; number <= pages; number++) {
    const path = photoId === null ? '/threads?kind=note&' : `/photos/${photoId}/threads?`
    const found = await call<typeof GuestThreadList>(`${path}limit=100&page=${number}`)
    loaded.push(...found.threads.filter((thread) => thread.photo_id === photoId))
    pages = found.pagination.pages
  }
  // A later request, or a change of this guest, is newer than this list.
  if (change !== threads.changes) return
  showThreads(photoId, photoId === null ? loaded.reverse() : loaded)
}

function showThreads(photoId: number | null, threads: GuestThread[]): void {
  find(photoId).list.value = threads
  if (threads.some(({ is_own }) => is_own)) awaitsAnswers.value = true
  if (photoId === null || !page.feedback.show_feedback_to_guests) return
  const comments = threads.filter(({ feedback_id, is_visible }) => feedback_id !== null && is_visible)
  updatePhoto(photoId, () => ({ comment_count: comments.length }))
}

/** Adds the thread, or replaces what is known of it. */
export function showThread(photoId: number | null, thread: GuestThread): void {
  const threads = find(photoId)
  threads.changes++
  const before = threads.list.peek()
  if (before === null) return void loadThreads(photoId).catch(() => undefined)
  const isKnown = before.some(({ id }) => id === thread.id)
  showThreads(photoId, isKnown ? before.map((one) => (one.id === thread.id ? thread : one)) : [...before, thread])
}

type Change = { path: string; body?: unknown; method?: string }

/** Throws ApiError or Unreachable, as all functions below. */
async function change({ id, photo_id: photoId }: GuestThread, { path, ...options }: Change): Promise<void> {
  showThread(photoId, await call<typeof GuestThread>(`/threads/${id}${path}`, options))
}

export const settle = (thread: GuestThread, state: ThreadState): Promise<void> =>
  change(thread, { path: '/state', method: 'PUT', body: { state } })

export async function removeAnswer({ id: threadId, photo_id: photoId }: GuestThread, { id }: Answer): Promise<void> {
  await call(`/threads/${threadId}/messages/${id}`, { method: 'DELETE' })
  await loadThreads(photoId)
}

/** Lists have only the last answers. */
export const loadEarlierAnswers = (thread: GuestThread): Promise<void> => change(thread, { path: '' })

/** One that was answered stays without its text. */
export async function removeMarking({ id, photo_id: photoId }: GuestThread): Promise<void> {
  await call(`/threads/${id}`, { method: 'DELETE' })
  await loadThreads(photoId)
}

export const isMarking = ({ kind }: GuestThread): boolean => kind === 'pin' || kind === 'box'
