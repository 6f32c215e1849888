import { sql } from 'kysely'
import type { Database, Tx } from '../platform/database/tables.ts'
import { hashToken } from '../platform/security/hash-token.ts'
import { presentEvents } from './event-rows.ts'

type OldSlugTable = { slug: string; event_id: number }

declare module '../platform/database/tables.ts' {
  interface Tables {
    old_slugs: OldSlugTable
  }
}

/** A slug that already leads to another event keeps leading to it. An event that has the slug itself has priority. */
export async function addOldSlug(tx: Tx, slug: string, eventId: number): Promise<void> {
  await tx
    .insertInto('old_slugs')
    .values({ slug, event_id: eventId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function isOldSlug(tx: Tx, slug: string): Promise<boolean> {
  const found = await tx.selectFrom('old_slugs').select('slug').where('slug', '=', slug).executeTakeFirst()
  return found !== undefined
}

export type GalleryAddress = { slug: string; shareToken: string | null }

/**
 * Returns the present addresses of the galleries that `/gallery/{share_token}` or `/gallery/{old slug}`, with or without
 * a share token, may mean. A share token alone may be outdated. The token of the address is not checked.
 */
export async function findPresentAddresses(
  db: Database,
  { slug, shareToken }: GalleryAddress,
): Promise<GalleryAddress[]> {
  const byOldSlug = db
    .selectFrom('old_slugs')
    .select(['event_id', sql.lit<number>(0).as('is_token')])
    .where('slug', '=', slug)
  const found = await db
    .selectFrom((shareToken === null ? byOldSlug.unionAll(findByShareToken(db, slug)) : byOldSlug).as('found'))
    .innerJoin(presentEvents(db), 'events.id', 'found.event_id')
    .select(['events.slug', 'found.is_token'])
    .orderBy('found.is_token', 'desc')
    .orderBy('events.id')
    .limit(maxFound)
    .execute()
  return found.map((event) => ({ slug: event.slug, shareToken: event.is_token === 1 ? slug : shareToken }))
}

/** Imports of several installations may have brought one share token more than once. */
const maxFound = 10

/** Finds current and outdated share tokens. */
const findByShareToken = (db: Database, shareToken: string) =>
  db
    .selectFrom(presentEvents(db))
    .select(['events.id as event_id', sql.lit<number>(1).as('is_token')])
    .where('events.share_token', '=', shareToken)
    .unionAll(
      db
        .selectFrom('outdated_links')
        .select(['event_id', sql.lit<number>(1).as('is_token')])
        .where('token_hash', '=', hashToken(shareToken)),
    )
