import type { Database, Tx } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { normalizeText } from '../../platform/text/normalize-text.ts'
import { createSlug } from '../../platform/text/slugs.ts'

const maxNameLength = 100
/** If an event has this many categories, folder names add no further ones. */
const maxCategories = 200

/**
 * Finds the category by its name, ignoring case, or creates it. A category of the event comes before a global one.
 * Returns the id of the category; null for a blank name, or if no category has this name and the event has 200 of its
 * own.
 */
export async function getOrCreateCategory({ db, clock }: PlatformContext, eventId: number, folderName: string) {
  const name = normalizeText(folderName.toWellFormed().replace(/[\p{Cc}\ufffd]/gu, ''))
    .slice(0, maxNameLength)
    .trim()
    .toWellFormed()
  if (name === '') return null
  const known = await findByName(db, eventId, name)
  if (known.id !== null) return known.id
  return inTransaction(db, `event ${eventId}`, async (tx) => {
    const { id, ownCount } = await findByName(tx, eventId, name)
    if (id !== null || ownCount >= maxCategories) return id
    const slug = createSlug(name) || 'category'
    const values = {
      event_id: eventId,
      name,
      slug,
      allow_downloads: 1,
      sort_order: 0,
      created_at: clock.now(),
    } as const
    return (await tx.insertInto('categories').values(values).returning('id').executeTakeFirstOrThrow()).id
  })
}

async function findByName(db: Database | Tx, eventId: number, name: string) {
  const rows = await db
    .selectFrom('categories')
    .select(['id', 'name', 'event_id'])
    .where((where) => where.or([where('event_id', '=', eventId), where('event_id', 'is', null)]))
    .orderBy('id')
    .execute()
  const own = rows.filter(({ event_id }) => event_id !== null)
  const hasSameName = (row: { name: string }) => row.name.toLowerCase() === name.toLowerCase()
  return { id: (own.find(hasSameName) ?? rows.find(hasSameName))?.id ?? null, ownCount: own.length }
}
