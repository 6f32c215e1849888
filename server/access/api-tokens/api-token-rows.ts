import type { Generated, Insertable, Selectable } from 'kysely'
import type { ApiTokenRecord, Scope } from '../../../contract/access.ts'
import type { StateCache } from '../../platform/background/changes.ts'
import { byKey } from '../../platform/database/short-read.ts'
import type { Database, Flag } from '../../platform/database/tables.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { hashToken } from '../../platform/security/hash-token.ts'
import { isoTime, isoTimeOrNull, minutes } from '../../platform/time/clock.ts'

export type ApiTokenTable = {
  id: Generated<number>
  user_id: number
  name: string
  /** SHA-256; the token itself is never stored. */
  token_hash: string
  token_preview: string
  /** The widest requested scope. Each scope implies the narrower ones. */
  scope: Scope
  /** Whether it reads the private notes of guests. */
  reads_notes: Generated<Flag>
  expires_at: number | null
  last_used_at: number | null
  revoked_at: number | null
  created_at: number
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    api_tokens: ApiTokenTable
  }
}

export type ApiTokenRow = Selectable<ApiTokenTable>

export function findApiToken(db: Database, cache: StateCache<string, ApiTokenRow>, token: string) {
  const hash = hashToken(token)
  return cache.getOrLoad(hash, () =>
    db.selectFrom('api_tokens').selectAll().where('token_hash', '=', hash).modifyEnd(byKey).executeTakeFirst(),
  )
}

/** Adds a token of which only the hash is known. Returns its id, or null if the same token exists. */
export async function addMovedToken(
  db: Database,
  token: Omit<Insertable<ApiTokenTable>, 'id'>,
): Promise<number | null> {
  const inserted = await db
    .insertInto('api_tokens')
    .values(token)
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id ?? null
}

const recordedUses = new WeakMap<ApiTokenRow, number>()

/** Stores the time of the last use in the background, at most once a minute per process. */
export function recordTokenUse({ db, clock, log }: PlatformContext, row: ApiTokenRow): void {
  const now = clock.now()
  if (now - (recordedUses.get(row) ?? row.last_used_at ?? 0) < minutes(1)) return
  recordedUses.set(row, now)
  db.updateTable('api_tokens')
    .set({ last_used_at: now })
    .where('id', '=', row.id)
    .execute()
    .catch((err) => log.warn({ err }, 'Could not record the use of an API token'))
}

export const apiTokenRecord = (row: ApiTokenRow): ApiTokenRecord => ({
  id: row.id,
  name: row.name,
  token_preview: row.token_preview,
  scopes: [row.scope],
  reads_notes: row.reads_notes === 1,
  expires_at: isoTimeOrNull(row.expires_at),
  last_used_at: isoTimeOrNull(row.last_used_at),
  created_at: isoTime(row.created_at),
})
