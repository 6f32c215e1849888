import type { Database, Tx } from '../platform/database/tables.ts'
import { sharePath } from '../platform/links.ts'
import { findEventByShareToken, presentEvents } from './event-rows.ts'

type OldSlugTable = { slug: string; event_id: number }

declare module '../platform/database/tables.ts' {
  interface Tables {
    old_slugs: OldSlugTable
  }
}

/** A slug that leads to another event already stays with it. */
export async function addOldSlug(tx: Tx, slug: string, eventId: number): Promise<void> {
  await tx
    .insertInto('old_slugs')
    .values({ slug, event_id: eventId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Share tokens of PicPeak. */
const movedShareToken = /^[0-9a-f]{32}$/

/**
 * Returns the present path of a gallery for an address that it had in PicPeak: `/gallery/{share_token}`, or an older slug
 * with or without the token. Call it only if no event has this slug.
 */
export async function findPresentPath(
  db: Database,
  { slug, shareToken }: { slug: string; shareToken: string | null },
): Promise<string | null> {
  if (shareToken === null && movedShareToken.test(slug)) {
    const event = await findEventByShareToken(db, slug)
    if (event) return sharePath(event)
  }
  const moved = await db
    .selectFrom('old_slugs')
    .innerJoin(presentEvents(db), 'events.id', 'old_slugs.event_id')
    .select('events.slug')
    .where('old_slugs.slug', '=', slug)
    .executeTakeFirst()
  if (!moved) return null
  return shareToken === null ? `/gallery/${moved.slug}` : sharePath({ slug: moved.slug, share_token: shareToken })
}
