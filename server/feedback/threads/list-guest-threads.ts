import { type GuestThread, type GuestThreadsQuery, listedMessages } from '../../../contract/gallery/threads.ts'
import { visibleToGuests } from '../../events/visible-photos.ts'
import { toPagination } from '../../platform/database/pagination.ts'
import type { Database } from '../../platform/database/tables.ts'
import {
  addMessages,
  commonFields,
  commonMessageFields,
  countRows,
  type ListedThread,
  matchThreads,
  selectThreads,
  type Threads,
  withColumns,
} from './thread-queries.ts'

/** Who reads threads. A guest without `showsOthers` sees only threads of his own. */
export type ThreadReader = { guestId: string; showsOthers: boolean }

/** Guests see no threads about photos that they do not see. */
const readableBy = (threads: Threads, { guestId, showsOthers }: ThreadReader): Threads =>
  threads
    .where((where) => where.or([where('threads.photo_id', 'is', null), visibleToGuests()]))
    .where((where) => {
      const isOwn = where('threads.guest_id', '=', guestId)
      const isShown = where.and([where('threads.kind', '=', 'comment'), where('feedback.is_visible', '=', 1)])
      return showsOthers ? where.or([isOwn, isShown]) : isOwn
    })

/** The threads of the guest in which an operator has answered. */
export const selectAnswered = (db: Database, eventId: number, guestId: string): Threads =>
  onlyAnswered(readableBy(selectThreads(db, eventId), { guestId, showsOthers: false }))

const onlyAnswered = (threads: Threads): Threads =>
  threads.where(({ exists, selectFrom }) =>
    exists(
      selectFrom('thread_messages')
        .select('thread_messages.id')
        .whereRef('thread_messages.thread_id', '=', 'threads.id')
        .where('thread_messages.guest_id', 'is', null),
    ),
  )

/** What responses to guests need of the gallery. */
export type GuestView = {
  studioName: string | null
  /** Whether the guest can answer in threads of the kind. */
  canAnswer: (kind: GuestThread['kind']) => boolean
}

/** For checks that need no names. */
export const plainView: GuestView = { studioName: null, canAnswer: () => false }

const guestThread = (thread: ListedThread, guestId: string, { studioName, canAnswer }: GuestView): GuestThread => ({
  ...commonFields(thread),
  is_own: thread.guest_id === guestId,
  is_visible: thread.is_visible !== 0,
  guest_name: thread.guest_name,
  can_answer: canAnswer(thread.kind),
  messages: thread.messages.map((message) => ({
    ...commonMessageFields(message),
    author_name: message.guest_id === null ? studioName : message.guest_name,
    is_own: message.guest_id === guestId,
  })),
})

/** Newest first, or for one photo oldest first. */
export async function listGuestThreads(
  db: Database,
  eventId: number,
  reader: ThreadReader,
  { page, limit, answered, ...filter }: GuestThreadsQuery & { photoId?: number },
  view: GuestView,
) {
  const { kind, photoId } = filter
  // Other kinds and answered threads are read by the index of the guest.
  const isOwnOnly = answered || (kind !== undefined && kind !== 'comment')
  const readable = readableBy(selectThreads(db, eventId), isOwnOnly ? { ...reader, showsOthers: false } : reader)
  const threads = matchThreads(answered ? onlyAnswered(readable) : readable, filter)
  const total = await countRows(threads)
  const rows = await withColumns(threads)
    .orderBy('threads.id', photoId === undefined ? 'desc' : 'asc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const { guestId } = reader
  const listed = await addMessages(db, rows, { guestId, limit: listedMessages })
  return {
    threads: listed.map((thread) => guestThread(thread, guestId, view)),
    pagination: toPagination({ page, limit }, total),
  }
}

/** Returns a thread with all its answers; undefined if the guest does not see it. */
export async function findGuestThread(
  db: Database,
  eventId: number,
  id: number,
  reader: ThreadReader,
  view: GuestView,
): Promise<GuestThread | undefined> {
  const threads = readableBy(selectThreads(db, eventId), reader).where('threads.id', '=', id)
  const [thread] = await addMessages(db, await withColumns(threads).execute(), { guestId: reader.guestId })
  return thread && guestThread(thread, reader.guestId, view)
}
