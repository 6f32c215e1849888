import { type SqlBool, sql } from 'kysely'
import {
  type GuestThread,
  type GuestThreadsQuery,
  type ListThreadsQuery,
  listedMessages,
  type ThreadRecord,
} from '../../../contract/gallery/threads.ts'
import { visibleToGuests } from '../../events/visible-photos.ts'
import { toPagination } from '../../platform/database/pagination.ts'
import type { Database } from '../../platform/database/tables.ts'
import { isoTime, isoTimeOrNull } from '../../platform/time/clock.ts'
import { getFeedbackStatus } from '../marks/mark-rules.ts'

/** Who reads threads. A guest without `showsOthers` sees only threads of his own. */
export type ThreadReader = { guestId: string; showsOthers: boolean }

/** Threads about photos in the trash are left out, but not notes. */
const selectThreads = (db: Database, eventId: number) =>
  db
    .selectFrom('threads')
    .leftJoin('feedback', 'feedback.id', 'threads.feedback_id')
    .leftJoin('photos', 'photos.id', 'threads.photo_id')
    .leftJoin('guests', 'guests.id', 'threads.guest_id')
    .where('threads.event_id', '=', eventId)
    .where((where) =>
      where.or([
        where('threads.photo_id', 'is', null),
        where('photos.id', 'is not', null),
        where('threads.kind', '=', 'note'),
      ]),
    )

type Threads = ReturnType<typeof selectThreads>

/** Guests see no threads about photos that they do not see. */
const readableBy = (threads: Threads, { guestId, showsOthers }: ThreadReader): Threads =>
  threads
    .where((where) => where.or([where('threads.photo_id', 'is', null), visibleToGuests()]))
    .where((where) => {
      const isOwn = where('threads.guest_id', '=', guestId)
      const isShown = where.and([where('threads.kind', '=', 'comment'), where('feedback.is_visible', '=', 1)])
      return showsOthers ? where.or([isOwn, isShown]) : isOwn
    })

const withColumns = (threads: Threads) =>
  threads
    .select([
      'threads.id',
      'threads.event_id',
      'threads.kind',
      'threads.feedback_id',
      'threads.version',
      'threads.number',
      'threads.guest_id',
    ])
    .select(['threads.x', 'threads.y', 'threads.w', 'threads.h', 'threads.created_at', 'threads.settled_at'])
    .select([
      'threads.settled_by',
      'photos.id as photo_id',
      'photos.original_filename',
      'photos.source_filename',
      'photos.visibility',
    ])
    .select(['feedback.is_visible', 'feedback.judged_at', 'guests.name as guest_name', 'guests.email as guest_email'])
    .select(({ fn }) => fn.coalesce('threads.text', 'feedback.comment_text').as('text'))

type ListedThread = Awaited<ReturnType<ReturnType<typeof withColumns>['executeTakeFirstOrThrow']>>

const countRows = async (threads: Threads): Promise<number> =>
  Number((await threads.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total)

type ListedMessage = {
  id: number
  thread_id: number
  guest_id: string | null
  is_visible: 0 | 1
  text: string
  created_at: number
  guest_name: string | null
  username: string | null
  total: number
}

type Messages = { total: number; latest: ListedMessage[] }

/** Returns the answers by thread, oldest first, at most `limit` of each. `guestId`: the guest who reads them. */
async function loadMessages(
  db: Database,
  threadIds: readonly number[],
  { guestId, limit }: { guestId: string | null; limit: number },
): Promise<Map<number, Messages>> {
  if (threadIds.length === 0) return new Map()
  const rows = await db
    .selectFrom((from) =>
      from
        .selectFrom('thread_messages')
        .selectAll()
        .select(sql<number>`row_number() over (partition by thread_id order by id desc)`.as('place'))
        .select(sql<number>`count(*) over (partition by thread_id)`.as('total'))
        .where('thread_id', 'in', threadIds)
        .$if(guestId !== null, (some) =>
          some.where((where) => where.or([where('is_visible', '=', 1), where('guest_id', '=', guestId)])),
        )
        .as('messages'),
    )
    .leftJoin('guests', 'guests.id', 'messages.guest_id')
    .leftJoin('users', 'users.id', 'messages.user_id')
    .select(['messages.id', 'messages.thread_id', 'messages.guest_id', 'messages.is_visible', 'messages.text'])
    .select(['messages.created_at', 'messages.total', 'guests.name as guest_name', 'users.username'])
    .where(sql<SqlBool>`messages.place <= ${limit}`)
    .orderBy('messages.id')
    .execute()
  const byThread = Map.groupBy(rows, ({ thread_id }) => thread_id)
  return new Map([...byThread].map(([id, latest]) => [id, { total: Number(latest[0]?.total ?? 0), latest }]))
}

const noMessages: Messages = { total: 0, latest: [] }

const commonFields = (thread: ListedThread, { total }: Messages) => ({
  id: thread.id,
  kind: thread.kind,
  photo_id: thread.photo_id,
  feedback_id: thread.feedback_id,
  version: thread.version,
  number: thread.number,
  x: thread.x,
  y: thread.y,
  w: thread.w,
  h: thread.h,
  text: thread.text,
  state: thread.settled_at === null ? ('open' as const) : ('done' as const),
  created_at: isoTime(thread.created_at),
  settled_at: isoTimeOrNull(thread.settled_at),
  message_count: total,
})

const commonMessageFields = ({ id, guest_id, text, is_visible, created_at }: ListedMessage) => ({
  id,
  by: guest_id === null ? ('operator' as const) : ('guest' as const),
  text,
  is_visible: is_visible === 1,
  created_at: isoTime(created_at),
})

/** What responses to guests need of the gallery. */
export type GuestView = {
  studioName: string | null
  /** Whether the guest can answer in threads of the kind. */
  canAnswer: (kind: GuestThread['kind']) => boolean
}

const guestThread = (
  thread: ListedThread,
  messages: Messages,
  guestId: string,
  { studioName, canAnswer }: GuestView,
): GuestThread => ({
  ...commonFields(thread, messages),
  is_own: thread.guest_id === guestId,
  is_visible: thread.is_visible !== 0,
  guest_name: thread.guest_name,
  can_answer: canAnswer(thread.kind),
  messages: messages.latest.map((message) => ({
    ...commonMessageFields(message),
    author_name: message.guest_id === null ? studioName : message.guest_name,
    is_own: message.guest_id === guestId,
  })),
})

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

/** Newest first, or for one photo oldest first. */
export async function listGuestThreads(
  db: Database,
  eventId: number,
  reader: ThreadReader,
  { page, limit, state, kind, photoId }: GuestThreadsQuery & { photoId?: number },
  view: GuestView,
) {
  // Other kinds are read by the index of the guest.
  const readable = kind === undefined || kind === 'comment' ? reader : { ...reader, showsOthers: false }
  const threads = readableBy(selectThreads(db, eventId), readable)
    .$if(photoId !== undefined, (some) => some.where('threads.photo_id', '=', photoId ?? 0))
    .$if(kind !== undefined, (some) => some.where('threads.kind', '=', kind ?? 'note'))
    .$if(state !== undefined, (some) => some.where('threads.settled_at', state === 'open' ? 'is' : 'is not', null))
  const total = await countRows(threads)
  const rows = await withColumns(threads)
    .orderBy('threads.id', photoId === undefined ? 'desc' : 'asc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const { guestId } = reader
  const messages = await loadMessages(
    db,
    rows.map(({ id }) => id),
    { guestId, limit: listedMessages },
  )
  return {
    threads: rows.map((row) => guestThread(row, messages.get(row.id) ?? noMessages, guestId, view)),
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
  const { guestId } = reader
  const threads = readableBy(selectThreads(db, eventId), reader).where('threads.id', '=', id)
  const row = await withColumns(threads).executeTakeFirst()
  if (!row) return undefined
  const messages = await loadMessages(db, [id], { guestId, limit: Number.MAX_SAFE_INTEGER })
  return guestThread(row, messages.get(id) ?? noMessages, guestId, view)
}

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
