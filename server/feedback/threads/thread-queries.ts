import { type SqlBool, sql } from 'kysely'
import type { ThreadKind } from '../../../contract/gallery/thread-kinds.ts'
import { maxMessagesPerThread, type ThreadState } from '../../../contract/gallery/threads.ts'
import type { Database } from '../../platform/database/tables.ts'
import { isoTime, isoTimeOrNull } from '../../platform/time/clock.ts'

/** Threads about photos in the trash are left out, but not notes. */
export const selectThreads = (db: Database, eventId: number) =>
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

export type Threads = ReturnType<typeof selectThreads>

export const withColumns = (threads: Threads) =>
  threads
    .select(['threads.id', 'threads.event_id', 'threads.guest_id', 'threads.kind', 'threads.feedback_id'])
    .select(['threads.version', 'threads.number', 'threads.x', 'threads.y', 'threads.w', 'threads.h'])
    .select(['threads.created_at', 'threads.settled_at', 'threads.settled_by'])
    .select(['photos.id as photo_id', 'photos.original_filename', 'photos.source_filename', 'photos.visibility'])
    .select(['feedback.is_visible', 'feedback.judged_at', 'guests.name as guest_name', 'guests.email as guest_email'])
    .select(({ fn }) => fn.coalesce('threads.text', 'feedback.comment_text').as('text'))

type SelectedThread = Awaited<ReturnType<ReturnType<typeof withColumns>['executeTakeFirstOrThrow']>>

export const matchThreads = (threads: Threads, { state, kind, photoId }: ThreadFilter): Threads =>
  threads
    .$if(state !== undefined, (some) => some.where('threads.settled_at', state === 'open' ? 'is' : 'is not', null))
    .$if(kind !== undefined, (some) => some.where('threads.kind', '=', kind ?? 'note'))
    .$if(photoId !== undefined, (some) => some.where('threads.photo_id', '=', photoId ?? 0))

type ThreadFilter = { state?: ThreadState; kind?: ThreadKind; photoId?: number | undefined }

export const countRows = async (threads: Threads): Promise<number> =>
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

export type ListedThread = SelectedThread & { messages: ListedMessage[] }

/** Adds the answers, oldest first, at most the latest `limit` of each thread. `guestId`: the guest who reads them. */
export async function addMessages(
  db: Database,
  threads: readonly SelectedThread[],
  { guestId, limit = maxMessagesPerThread }: { guestId: string | null; limit?: number },
): Promise<ListedThread[]> {
  if (threads.length === 0) return []
  const rows = await db
    .selectFrom((from) =>
      from
        .selectFrom('thread_messages')
        .selectAll()
        .select(sql<number>`row_number() over (partition by thread_id order by id desc)`.as('place'))
        .select(sql<number>`count(*) over (partition by thread_id)`.as('total'))
        .where(
          'thread_id',
          'in',
          threads.map(({ id }) => id),
        )
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
  return threads.map((thread) => ({ ...thread, messages: byThread.get(thread.id) ?? [] }))
}

export const commonFields = (thread: ListedThread) => ({
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
  message_count: Number(thread.messages[0]?.total ?? 0),
})

export const commonMessageFields = ({ id, guest_id, text, is_visible, created_at }: ListedMessage) => ({
  id,
  by: guest_id === null ? ('operator' as const) : ('guest' as const),
  text,
  is_visible: is_visible === 1,
  created_at: isoTime(created_at),
})
