import { type Generated, type Selectable, sql } from 'kysely'
import type { ThreadKind } from '../../../contract/gallery/thread-kinds.ts'
import { deleteThreadOutcomes } from '../../access/idempotency-rows.ts'
import { currentVersion } from '../../events/photo-version.ts'
import type { Database, Flag, Tx } from '../../platform/database/tables.ts'
import type { GuestBelongings, PhotoBelongings } from '../../settings/belongings.ts'

/** What a guest has asked or said: a comment, a private note, or a pin or box on a picture. */
export type ThreadTable = {
  id: Generated<number>
  event_id: number
  /** Has no foreign key, so that it stays while the photo is in the trash. Null for a note about the whole gallery. */
  photo_id: number | null
  guest_id: string
  kind: ThreadKind
  /** The comment, which has the text; null for other kinds, and after the comment was deleted. */
  feedback_id: number | null
  version: Generated<number>
  /** Of a pin or a box on its photo; null for other kinds. */
  number: number | null
  /** The upper left corner or the pin, in millionths of the upright picture. */
  x: number | null
  y: number | null
  w: number | null
  h: number | null
  /** Null for a comment, and after the guest has taken it back. */
  text: string | null
  created_at: number
  /** Null while it is open. */
  settled_at: number | null
  /** The account; null if it is open or the guest has settled it. */
  settled_by: number | null
}

/** Answers. The author is a guest, or else an operator. */
export type ThreadMessageTable = {
  id: Generated<number>
  thread_id: number
  event_id: number
  guest_id: string | null
  user_id: number | null
  /** 0 for an answer to a comment that only its author and operators see. */
  is_visible: Flag
  text: string
  created_at: number
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    threads: ThreadTable
    thread_messages: ThreadMessageTable
  }
}

export type ThreadRow = Selectable<ThreadTable>
export type ThreadMessageRow = Selectable<ThreadMessageTable>

export type GuestKey = { eventId: number; guestId: string }

export type ThreadMark = Pick<ThreadRow, 'number' | 'x' | 'y' | 'w' | 'h'>

type NewThread = GuestKey & {
  photoId: number | null
  kind: ThreadKind
  text: string | null
  feedbackId?: number
  mark?: ThreadMark
  now: number
}

export const insertThread = (tx: Tx, { eventId, guestId, photoId, feedbackId, mark, now, ...thread }: NewThread) =>
  tx
    .insertInto('threads')
    .values({
      ...{ event_id: eventId, photo_id: photoId, guest_id: guestId, feedback_id: feedbackId ?? null, ...thread },
      ...(mark ?? { number: null, x: null, y: null, w: null, h: null }),
      ...{ created_at: now, settled_at: null, settled_by: null },
      ...(photoId !== null && { version: currentVersion(sql`cast(${photoId} as integer)`) }),
    })
    .returningAll()
    .executeTakeFirstOrThrow()

export const findThread = (db: Database, eventId: number, id: number): Promise<ThreadRow | undefined> =>
  db.selectFrom('threads').selectAll().where('id', '=', id).where('event_id', '=', eventId).executeTakeFirst()

export async function countThreads(
  db: Database,
  { eventId, guestId }: GuestKey,
  kinds: readonly ThreadKind[],
  photoId?: number,
): Promise<number> {
  const { count } = await db
    .selectFrom('threads')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('event_id', '=', eventId)
    .where('guest_id', '=', guestId)
    .where('kind', 'in', kinds)
    .$if(photoId !== undefined, (threads) => threads.where('photo_id', '=', photoId ?? 0))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns a number that no pin or box on the photo has had, unless the last one was deleted. */
export async function nextNumber(tx: Tx, photoId: number): Promise<number> {
  const last = tx
    .selectFrom('threads')
    .select(({ fn }) => fn.max('number').as('last'))
    .where('photo_id', '=', photoId)
  return ((await last.executeTakeFirst())?.last ?? 0) + 1
}

/** `settled`: null opens the thread again; `by` is null for the guest. */
export const setSettled = (tx: Tx, id: number, settled: { at: number; by: number | null } | null) =>
  tx
    .updateTable('threads')
    .set({ settled_at: settled?.at ?? null, settled_by: settled?.by ?? null })
    .where('id', '=', id)
    .execute()

/** Takes the text back. The thread stays if somebody has answered. */
export async function withdrawThreads(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const answered = tx.selectFrom('thread_messages').select('thread_id').where('thread_id', 'in', ids)
  await tx.deleteFrom('threads').where('id', 'in', ids).where('id', 'not in', answered).execute()
  await tx.updateTable('threads').set({ text: null, feedback_id: null }).where('id', 'in', ids).execute()
}

/** Like `withdrawThreads`, for the thread of a comment that is deleted. */
export async function withdrawComment(tx: Tx, feedbackId: number): Promise<void> {
  const threads = await tx.selectFrom('threads').select('id').where('feedback_id', '=', feedbackId).execute()
  await withdrawThreads(
    tx,
    threads.map(({ id }) => id),
  )
}

export const threadsOfGuests: GuestBelongings = {
  tables: ['threads', 'thread_messages'],
  largeTables: ['thread_messages', 'threads'],

  async hasRows(tx, eventId, guestId) {
    for (const table of ['threads', 'thread_messages'] as const) {
      const rows = tx.selectFrom(table).select('id').where('event_id', '=', eventId).where('guest_id', '=', guestId)
      if (await rows.limit(1).executeTakeFirst()) return true
    }
    return false
  },

  async merge(tx, { eventId, from, into }) {
    for (const table of ['threads', 'thread_messages'] as const) {
      const rows = tx.updateTable(table).set({ guest_id: into })
      await rows.where('event_id', '=', eventId).where('guest_id', '=', from).execute()
    }
  },

  /** Deletes the threads with all answers, because an answer can contain the name, and the answers in other threads. */
  async erase(tx, { eventId, guestIds }) {
    const threads = tx.deleteFrom('threads').where('event_id', '=', eventId).where('guest_id', 'in', guestIds)
    const erased = await threads.returning(['id', 'kind']).execute()
    const messages = tx.deleteFrom('thread_messages').where('event_id', '=', eventId).where('guest_id', 'in', guestIds)
    const answers = await messages.returning('thread_id').execute()
    await deleteThreadOutcomes(tx, [...erased.map(({ id }) => id), ...answers.map(({ thread_id }) => thread_id)])
    return { counts: { notes: erased.filter(({ kind }) => kind !== 'comment').length } }
  },
}

/** A note about a deleted photo becomes one about the gallery. Pins and boxes have no use without the picture. */
export const threadsOfPhotos: PhotoBelongings = {
  tables: ['threads'],
  async deleteFor(tx, photoIds) {
    await tx.deleteFrom('threads').where('photo_id', 'in', photoIds).where('kind', '<>', 'note').execute()
    await tx.updateTable('threads').set({ photo_id: null }).where('photo_id', 'in', photoIds).execute()
  },
}
