import { sql } from 'kysely'
import { type ListThreadsQuery, listedMessages, type ThreadRecord } from '../../../contract/gallery/threads.ts'
import type { Database } from '../../platform/database/tables.ts'
import { getFeedbackStatus } from '../marks/mark-rules.ts'
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

/** `hasPrivate`: whether the reader may read what guests have written to the operators only. */
const readableThreads = (db: Database, eventId: number, hasPrivate: boolean): Threads =>
  selectThreads(db, eventId).$if(!hasPrivate, (some) => some.where('threads.kind', '=', 'comment'))

const threadRecord = (thread: ListedThread): ThreadRecord => ({
  ...commonFields(thread),
  event_id: thread.event_id,
  original_filename: thread.original_filename,
  photo_visibility: thread.visibility,
  source_filename: thread.source_filename,
  status:
    thread.is_visible === null
      ? 'approved'
      : getFeedbackStatus({ is_visible: thread.is_visible, judged_at: thread.judged_at }),
  guest_id: thread.guest_id,
  guest_name: thread.guest_name,
  guest_email: thread.guest_email,
  settled_by: thread.settled_by,
  messages: thread.messages.map((message) => ({
    ...commonMessageFields(message),
    guest_id: message.guest_id,
    author_name: message.guest_id === null ? message.username : message.guest_name,
  })),
})

/** `hasPrivate`: as for `readableThreads`. `answers`: how many of the latest answers each thread has. */
export async function listThreads(
  db: Database,
  eventId: number,
  { page, limit, photo_id: photoId, order, ...filter }: ListThreadsQuery,
  hasPrivate: boolean,
  answers: number = listedMessages,
): Promise<{ threads: ThreadRecord[]; total: number }> {
  const threads = matchThreads(readableThreads(db, eventId, hasPrivate), { ...filter, photoId })
  const total = await countRows(threads)
  const rows = await withColumns(threads)
    .$if(order === 'name', (some) =>
      some
        .orderBy(sql`photos.name_sort is null`)
        .orderBy('photos.name_sort')
        .orderBy('photos.id')
        .orderBy('threads.id'),
    )
    .$if(order === 'newest', (some) => some.orderBy('threads.id', 'desc'))
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return { threads: (await addMessages(db, rows, { guestId: null, limit: answers })).map(threadRecord), total }
}

const threadsPerBatch = 500
/** Far more than fits into a field of a photo program. */
const maxOpenPerPhoto = 200

/**
 * Returns the open threads about photos that are not in the trash, by id, the first 200 of each photo. `hasPrivate`: as for
 * `readableThreads`.
 */
export async function listOpenThreads(db: Database, eventId: number, hasPrivate: boolean): Promise<ThreadRecord[]> {
  const open = matchThreads(readableThreads(db, eventId, hasPrivate), { state: 'open' })
  const batches = withColumns(open).where('photos.id', 'is not', null).orderBy('threads.id').limit(threadsPerBatch)
  const found: ThreadRecord[] = []
  const counts = new Map<number, number>()
  for (let lastId = 0; ; ) {
    const batch = await batches.where('threads.id', '>', lastId).execute()
    lastId = batch.at(-1)?.id ?? 0
    const rows = batch.filter(({ photo_id }) => {
      const count = (counts.get(photo_id ?? 0) ?? 0) + 1
      counts.set(photo_id ?? 0, count)
      return count <= maxOpenPerPhoto
    })
    found.push(...(await addMessages(db, rows, { guestId: null, limit: listedMessages })).map(threadRecord))
    if (batch.length < threadsPerBatch) return found
  }
}

/** Returns a thread with all its answers. */
export async function findThreadRecord(
  db: Database,
  eventId: number,
  id: number,
  hasPrivate: boolean,
): Promise<ThreadRecord | undefined> {
  const threads = readableThreads(db, eventId, hasPrivate).where('threads.id', '=', id)
  const [thread] = await addMessages(db, await withColumns(threads).execute(), { guestId: null })
  return thread && threadRecord(thread)
}
