import type { PlatformContext } from '../../platform/platform-context.ts'
import type { LargeTable, Registries } from '../../settings/belongings.ts'

const rowsPerBatch = 2_000

/**
 * Deletes the guests of an event that is about to be deleted and what they have given, in small transactions. A single one
 * with a million rows would need hundreds of megabytes of disk for its log, and would delay all other writes.
 */
export async function deleteEventGuests(
  { db, guestBelongings }: Pick<PlatformContext, 'db'> & Pick<Registries, 'guestBelongings'>,
  eventId: number,
): Promise<void> {
  const largeTables = guestBelongings.flatMap((belongings): readonly LargeTable[] => belongings.largeTables ?? [])
  for (const table of [...largeTables, 'guests'] as Array<'guests'>) {
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
