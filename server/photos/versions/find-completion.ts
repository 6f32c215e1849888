import { type RawBuilder, sql } from 'kysely'
import type { EventRow } from '../../events/event-rows.ts'
import { currentVersion } from '../../events/photo-version.ts'
import { visibleToGuests } from '../../events/visible-photos.ts'
import { isOneOf } from '../../platform/database/short-read.ts'
import type { Tx } from '../../platform/database/tables.ts'
import { listLatestSelections } from './deciders.ts'

/**
 * Returns how many photos are to be approved if all are, otherwise null. `reviewPhotos` reads all of them; this stops at
 * the first that is not approved, because it runs in the transaction of a decision.
 */
export async function findCompletion(tx: Tx, event: EventRow): Promise<number | null> {
  const chosen = new Set<number>()
  for await (const { guest_id, photoIds } of listLatestSelections(tx, event.id)) {
    const others = photoIds.filter((id) => event.has_package === 1 || !chosen.has(id))
    if (
      await hasUnapproved(tx, event.id, isOneOf(tx, 'photos.id', others), event.has_package === 1 ? guest_id : null)
    ) {
      return null
    }
    for (const id of photoIds) chosen.add(id)
  }
  const asked =
    chosen.size > 0
      ? isOneOf(tx, 'photos.id', [...chosen])
      : sql<boolean>`photos.id in (select photo_id from photo_versions where photo_versions.event_id = ${event.id})`
  if (chosen.size === 0 && (await hasUnapproved(tx, event.id, asked, null))) return null
  const { count } = await selectVisible(tx, event.id, asked)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count) || null
}

type Condition = ReturnType<typeof isOneOf>

const selectVisible = (tx: Tx, eventId: number, asked: Condition) =>
  tx.selectFrom('photos').where('photos.event_id', '=', eventId).where(asked).where(visibleToGuests())

/** `guestId`: the guest who must have approved them; null if any guest can. */
async function hasUnapproved(tx: Tx, eventId: number, asked: Condition, guestId: string | null): Promise<boolean> {
  const current = (condition: RawBuilder<unknown>) => sql<boolean>`exists (select 1 from version_decisions as given
    where given.photo_id = photos.id and given.content_hash = photos.content_hash
      and given.version = ${currentVersion(sql`photos.id`)} and ${condition})`
  const by = guestId === null ? sql`true` : sql`given.guest_id = ${guestId}`
  const approved = sql<boolean>`${current(sql`given.decision <> 'changes_wanted' and ${by}`)}
    and not ${current(sql`given.decision = 'changes_wanted'`)}`
  const unapproved = selectVisible(tx, eventId, asked).where(sql<boolean>`not (${approved})`)
  return (await unapproved.select('photos.id').limit(1).executeTakeFirst()) !== undefined
}
