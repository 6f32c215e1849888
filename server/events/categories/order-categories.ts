import { sql } from 'kysely'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { getChangeableEvent } from '../get-changeable-event.ts'

/**
 * Puts the event's own categories into the order of `ids`. Throws VALIDATION_ERROR if an id occurs twice, INVALID_STATE
 * unless `ids` are exactly these categories, NOT_FOUND or EVENT_ARCHIVED.
 */
export async function orderCategories(ctx: PlatformContext, eventId: number, ids: readonly number[]): Promise<void> {
  const requested = new Set(ids)
  if (requested.size < ids.length) throw invalidField('category_ids', 'must contain each category once')
  await inTransaction(ctx.db, `event ${eventId}`, async (tx) => {
    await getChangeableEvent(tx, eventId)
    const own = await tx.selectFrom('categories').select('id').where('event_id', '=', eventId).execute()
    if (own.length !== ids.length || own.some(({ id }) => !requested.has(id))) throw notCurrent()
    const places = ids.map((id, index) => sql`when ${id} then cast(${index} as integer)`)
    await tx
      .updateTable('categories')
      .set({ sort_order: sql<number>`case id ${sql.join(places, sql` `)} end` })
      .where('event_id', '=', eventId)
      .execute()
  })
  ctx.changes.notify('photo', null)
}

const notCurrent = (): AppError =>
  new AppError('INVALID_STATE', {
    text: 'The list must contain all categories of the event and no others. Load the categories again.',
  })
