import { sql } from 'kysely'
import { type ListThreadsQuery, listedMessages, type ThreadRecord } from '../../../contract/gallery/threads.ts'
import type { Database } from '../../platform/database/tables.ts'
import { getFeedbackStatus } from '../marks/mark-rules.ts'
import {
  commonFields,
  commonMessageFields,
  countRows,
  type ListedThread,
  loadMessages,
  type Messages,
  noMessages,
  selectThreads,
  withColumns,
} from './thread-queries.ts'

const threadRecord = (thread: ListedThread, messages: Messages): ThreadRecord => ({
  ...commonFields(thread, messages),
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
  messages: messages.latest.map((message) => ({
    ...commonMessageFields(message),
    guest_id: message.guest_id,
    author_name: message.guest_id === null ? message.username : message.guest_name,
  })),
})

/**
 * `hasPrivate`: whether the reader may read what guests have written to the operators only. `answers`: how many of the
 * latest answers each thread has.
 */
export async function listThreads(
  db: Database,
  eventId: number,
  { page, limit, state, kind, photo_id: photoId, order }: ListThreadsQuery,
  hasPrivate: boolean,
  answers: number = listedMessages,
): Promise<{ threads: ThreadRecord[]; total: number }> {
  const threads = selectThreads(db, eventId)
    .$if(!hasPrivate, (some) => some.where('threads.kind', '=', 'comment'))
    .$if(state !== undefined, (some) => some.where('threads.settled_at', state === 'open' ? 'is' : 'is not', null))
    .$if(kind !== undefined, (some) => some.where('threads.kind', '=', kind ?? 'note'))
    .$if(photoId !== undefined, (some) => some.where('threads.photo_id', '=', photoId ?? 0))
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
  const messages = await loadMessages(
    db,
    rows.map(({ id }) => id),
    { guestId: null, limit: answers },
  )
  return { threads: rows.map((row) => threadRecord(row, messages.get(row.id) ?? noMessages)), total }
}

const threadsPerBatch = 500
/** Far more than fits into a field of a photo program. */
const maxOpenPerPhoto = 200

/**
 * Returns the open threads about photos that are not in the trash, by id, the first 200 of each photo. `hasPrivate`: as for
 * `listThreads`.
 */
export async function listOpenThreads(db: Database, eventId: number, hasPrivate: boolean): Promise<ThreadRecord[]> {
  const open = selectThreads(db, eventId)
    .where('threads.settled_at', 'is', null)
    .where('photos.id', 'is not', null)
    .$if(!hasPrivate, (some) => some.where('threads.kind', '=', 'comment'))
  const batches = withColumns(open).orderBy('threads.id').limit(threadsPerBatch)
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
    const ids = rows.map(({ id }) => id)
    const messages = await loadMessages(db, ids, { guestId: null, limit: listedMessages })
    found.push(...rows.map((row) => threadRecord(row, messages.get(row.id) ?? noMessages)))
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
  const threads = selectThreads(db, eventId)
    .where('threads.id', '=', id)
    .$if(!hasPrivate, (some) => some.where('threads.kind', '=', 'comment'))
  const row = await withColumns(threads).executeTakeFirst()
  if (!row) return undefined
  const messages = await loadMessages(db, [id], { guestId: null, limit: Number.MAX_SAFE_INTEGER })
  return threadRecord(row, messages.get(id) ?? noMessages)
}
