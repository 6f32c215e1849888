import type { Database } from '../platform/database/tables.ts'
import type { CoverMeasurement } from '../platform/media/image-tasks.ts'
import type { EventRow } from './event-rows.ts'

/** `levels` is empty if the picture could not be measured. */
export type CoverFacts = CoverMeasurement & { contentHash: string }

/** Returns null if no picture with this content was measured. */
export function readCoverFacts({ cover_facts }: Pick<EventRow, 'cover_facts'>, contentHash: string): CoverFacts | null {
  const facts: CoverFacts | null = cover_facts === null ? null : JSON.parse(cover_facts)
  return facts?.contentHash === contentHash ? facts : null
}

/** Does not change `updated_at`, because a page view is no change of the event. */
export const storeCoverFacts = (db: Database, eventId: number, facts: CoverFacts) =>
  db
    .updateTable('events')
    .set({ cover_facts: JSON.stringify(facts) })
    .where('id', '=', eventId)
    .execute()
