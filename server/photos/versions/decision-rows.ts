import type { Generated, Selectable } from 'kysely'
import type { Decision } from '../../../contract/gallery/decisions.ts'
import type { Database, Tx } from '../../platform/database/tables.ts'
import type { GuestBelongings, PhotoBelongings } from '../../settings/belongings.ts'

/** What a guest has decided about a version of a photo. It counts while the photo has this version and this content. */
export type VersionDecisionTable = {
  id: Generated<number>
  event_id: number
  /** Has no foreign key, so that the decisions stay while the photo is in the trash. */
  photo_id: number
  version: number
  content_hash: string
  /** Null for an erased guest. */
  guest_id: string | null
  decision: Decision
  decided_at: number
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    version_decisions: VersionDecisionTable
  }
}

export type VersionDecisionRow = Selectable<VersionDecisionTable>

export type DecisionKey = { eventId: number; photoId: number; version: number; guestId: string }

const decisionWhere = (db: Database, { eventId, photoId, version, guestId }: DecisionKey) =>
  db
    .selectFrom('version_decisions')
    .selectAll()
    .where('event_id', '=', eventId)
    .where('photo_id', '=', photoId)
    .where('version', '=', version)
    .where('guest_id', '=', guestId)

export const findDecision = (db: Database, key: DecisionKey): Promise<VersionDecisionRow | undefined> =>
  decisionWhere(db, key).executeTakeFirst()

/** Returns whether another guest has decided about the version with this content. */
export async function hasOtherDecision(
  db: Database,
  { photoId, version, guestId }: DecisionKey,
  contentHash: string,
): Promise<boolean> {
  const others = db.selectFrom('version_decisions').select('id').where('photo_id', '=', photoId)
  const current = others.where('version', '=', version).where('content_hash', '=', contentHash)
  const row = await current
    .where((where) => where.or([where('guest_id', 'is', null), where('guest_id', '<>', guestId)]))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

type NewDecision = Pick<VersionDecisionRow, 'content_hash' | 'decision' | 'decided_at'>

/** Replaces an earlier decision of the guest about the version; null deletes it. */
export async function storeDecision(tx: Tx, key: DecisionKey, decision: NewDecision | null): Promise<void> {
  await tx
    .deleteFrom('version_decisions')
    .where('id', 'in', decisionWhere(tx, key).clearSelect().select('id'))
    .execute()
  if (decision === null) return
  const { eventId: event_id, photoId: photo_id, version, guestId: guest_id } = key
  await tx
    .insertInto('version_decisions')
    .values({ event_id, photo_id, version, guest_id, ...decision })
    .execute()
}

/** The oldest first. */
export const listDecisions = (db: Database, eventId: number, photoId?: number) =>
  db
    .selectFrom('version_decisions')
    .leftJoin('guests', 'guests.id', 'version_decisions.guest_id')
    .selectAll('version_decisions')
    .select('guests.name as guest_name')
    .where('version_decisions.event_id', '=', eventId)
    .$if(photoId !== undefined, (some) => some.where('version_decisions.photo_id', '=', photoId ?? 0))
    .orderBy('version_decisions.id')
    .execute()

export const decisionsOfGuests: GuestBelongings = {
  tables: ['version_decisions'],
  largeTables: ['version_decisions'],

  async hasRows(tx, eventId, guestId) {
    const rows = tx.selectFrom('version_decisions').select('id').where('event_id', '=', eventId)
    return (await rows.where('guest_id', '=', guestId).limit(1).executeTakeFirst()) !== undefined
  },

  /** Of two decisions about one version, the later one stays. */
  async merge(tx, { eventId, from, into }) {
    const both = await tx
      .selectFrom('version_decisions')
      .select(['id', 'photo_id', 'version'])
      .where('event_id', '=', eventId)
      .where('guest_id', 'in', [from, into])
      .orderBy('decided_at')
      .orderBy('id')
      .execute()
    const latest = new Map(both.map(({ id, photo_id, version }) => [`${photo_id} ${version}`, id]))
    for (const { id, photo_id, version } of both) {
      if (latest.get(`${photo_id} ${version}`) === id) continue
      await tx.deleteFrom('version_decisions').where('id', '=', id).execute()
    }
    const moved = tx.updateTable('version_decisions').set({ guest_id: into }).where('event_id', '=', eventId)
    await moved.where('guest_id', '=', from).execute()
  },

  /** They stay without their guest, because they are part of what was agreed. */
  async erase(tx, { eventId, guestIds }) {
    const decisions = tx.updateTable('version_decisions').set({ guest_id: null }).where('event_id', '=', eventId)
    await decisions.where('guest_id', 'in', guestIds).execute()
    return { counts: {} }
  },
}

export const decisionsOfPhotos: PhotoBelongings = {
  tables: ['version_decisions'],
  deleteFor: (tx, photoIds) => tx.deleteFrom('version_decisions').where('photo_id', 'in', photoIds).execute(),
}
