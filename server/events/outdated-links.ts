import { createHash } from 'node:crypto'
import type { Database, Tx } from '../platform/database/tables.ts'

/** Share tokens that an event had before. Only their hashes are stored. */
type OutdatedLinkTable = { event_id: number; token_hash: string }

declare module '../platform/database/tables.ts' {
  interface Tables {
    outdated_links: OutdatedLinkTable
  }
}

const hashShareToken = (token: string): string => createHash('sha256').update(token).digest('hex')

export async function recordOutdatedLink(tx: Tx, eventId: number, shareToken: string): Promise<void> {
  await tx
    .insertInto('outdated_links')
    .values({ event_id: eventId, token_hash: hashShareToken(shareToken) })
    .execute()
}

/** Returns whether the share token was once that of the event. */
export async function isOutdatedLink(db: Database, eventId: number, shareToken: string): Promise<boolean> {
  const found = await db
    .selectFrom('outdated_links')
    .select('event_id')
    .where('event_id', '=', eventId)
    .where('token_hash', '=', hashShareToken(shareToken))
    .executeTakeFirst()
  return found !== undefined
}
