import type { Database, Tx } from '../platform/database/tables.ts'
import { hashToken } from '../platform/security/hash-token.ts'

/** Share tokens that an event had before. Only their hashes are stored. */
type OutdatedLinkTable = { event_id: number; token_hash: string }

declare module '../platform/database/tables.ts' {
  interface Tables {
    outdated_links: OutdatedLinkTable
  }
}

export async function recordOutdatedLink(tx: Tx, eventId: number, shareToken: string): Promise<void> {
  await tx
    .insertInto('outdated_links')
    .values({ event_id: eventId, token_hash: hashToken(shareToken) })
    .execute()
}

/** Returns whether the share token was once that of the event. */
export async function isOutdatedLink(db: Database, eventId: number, shareToken: string): Promise<boolean> {
  const found = await db
    .selectFrom('outdated_links')
    .select('event_id')
    .where('event_id', '=', eventId)
    .where('token_hash', '=', hashToken(shareToken))
    .executeTakeFirst()
  return found !== undefined
}
