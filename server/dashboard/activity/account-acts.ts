import { sql } from 'kysely'
import type { AccountCaller } from '../../access/callers.ts'
import { ownedEventIds } from '../../events/event-ownership.ts'
import type { Database } from '../../platform/database/tables.ts'
import type { ActFilter, ActSource } from './act-queries.ts'

export const lockedSuffix = '_locked'

/** The operations that store a photo, which are one act. */
const uploads = ['uploadPhoto', 'uploadPhotos', 'completeUpload']

const uploadAct = 'uploadPhotos'

/** Returns the operations that are the act `act`. */
export const actionsOf = (act: string): string[] => (act === uploadAct ? uploads : [act])

/** A rejected sign-in is another act than a sign-in. */
const act = sql`case when outcome = 'locked' then action || ${sql.lit(lockedSuffix)}
  when action in (${sql.join(uploads.map((action) => sql.lit(action)))}) then ${sql.lit(uploadAct)} else action end`

export function accountActSource(
  db: Database,
  { user }: AccountCaller,
  { event_id: eventId, user_id: userId, action }: ActFilter,
  { includesSignIns }: { includesSignIns: boolean },
): ActSource {
  const conditions = [
    user.role !== 'super_admin' && sql`(user_id = ${user.id} or event_id in ${ownedEventIds(db, user)})`,
    eventId !== undefined && sql`event_id = ${eventId}`,
    userId !== undefined && sql`user_id = ${userId}`,
    // Each upload also has an entry when it completes.
    action === undefined ? sql`action <> 'initUpload'` : sql`action = ${action}`,
    !includesSignIns && sql`via <> 'sign-in'`,
  ].filter((condition) => condition !== false)
  return ({ from, until }) => sql`
    select ${act} as act, coalesce(event_id, 0) as event_id, coalesce(cast(user_id as text), '') as person, at, count
    from activity where ${sql.join([sql`at >= ${from}`, sql`at < ${until}`, ...conditions], sql` and `)}`
}
