import type { PlatformContext } from '../platform/platform-context.ts'

const rowsPerBatch = 2_000

const tables = ['feedback', 'trashed_feedback', 'guest_notes', 'selections', 'guests'] as const

/**
 * Deletes the feedback and the guests of an event that is about to be deleted, in small transactions. A single one with a
 * million rows would need hundreds of megabytes of disk for its log, and would delay all other writes.
 */
export async function deleteEventFeedback({ db }: PlatformContext, eventId: number): Promise<void> {
  for (const table of tables) {
    let deleted = rowsPerBatch
    while (deleted === rowsPerBatch) {
      const { numDeletedRows } = await db
        .deleteFrom(table)
        .where('id', 'in', ({ selectFrom }) =>
          selectFrom(table).select('id').where('event_id', '=', eventId).limit(rowsPerBatch),
        )
        .executeTakeFirstOrThrow()
      deleted = Number(numDeletedRows)
    }
  }
}
