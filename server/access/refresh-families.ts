import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { byKey } from '../platform/database/short-read.ts'
import type { Database } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { seconds } from '../platform/time/clock.ts'
import type { User } from './account-rows.ts'
import { refreshSeconds } from './session-tokens.ts'

/** How long the previous token is accepted once more, for concurrent tabs and lost responses. */
const repeatMs = seconds(30)

/**
 * A sign-in and all its renewals. Tokens are not stored, because the same `sequence` and `issued_at` give the same
 * token.
 */
export type RefreshFamilyTable = {
  id: string
  user_id: number
  /** The session version of the account at the sign-in. A newer version of the account invalidates the family. */
  session_version: number
  /** The number of the current token. */
  sequence: number
  /** Whether the previous token was accepted once more. */
  is_repeated: number
  /** When the current token was issued. */
  issued_at: number
  expires_at: number
  created_at: number
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    refresh_families: RefreshFamilyTable
  }
}

export type RefreshFamily = Selectable<RefreshFamilyTable>

export async function startFamily({ db, clock }: PlatformContext, user: User): Promise<RefreshFamily> {
  return db
    .insertInto('refresh_families')
    .values({
      id: randomUUID(),
      user_id: user.id,
      session_version: user.session_version,
      sequence: 1,
      created_at: clock.now(),
      ...issued(clock.now()),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Replaces the current token and returns the family. For the previous token, once within 30 seconds, returns the family
 * without a replacement. Returns null for any other token.
 */
export async function replaceToken({ db, clock }: PlatformContext, { id, sequence }: { id: string; sequence: number }) {
  const now = clock.now()
  const replaced = await db
    .updateTable('refresh_families')
    .set({ sequence: sequence + 1, ...issued(now) })
    .where('id', '=', id)
    .where('sequence', '=', sequence)
    .returningAll()
    .executeTakeFirst()
  if (replaced) return replaced

  const repeated = await db
    .updateTable('refresh_families')
    .set({ is_repeated: 1 })
    .where('id', '=', id)
    .where('sequence', '=', sequence + 1)
    .where('is_repeated', '=', 0)
    .where('issued_at', '>=', now - repeatMs)
    .returningAll()
    .executeTakeFirst()
  return repeated ?? null
}

const issued = (now: number) => ({
  is_repeated: 0,
  issued_at: now,
  expires_at: (Math.floor(now / 1000) + refreshSeconds) * 1000,
})

export const findFamily = (db: Database, id: string): Promise<RefreshFamily | undefined> =>
  db.selectFrom('refresh_families').selectAll().where('id', '=', id).modifyEnd(byKey).executeTakeFirst()

/** Returns whether the family existed. */
export async function endFamily(db: Database, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('refresh_families').where('id', '=', id).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export async function pruneFamilies({ db, clock }: PlatformContext): Promise<void> {
  await db.deleteFrom('refresh_families').where('expires_at', '<=', clock.now()).execute()
}
