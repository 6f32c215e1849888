import type { PackageBody, PackageRecord } from '../../../contract/gallery/rounds.ts'
import { setHasPackage } from '../../events/event-rows.ts'
import { getChangeableEvent } from '../../events/get-changeable-event.ts'
import { flag } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { deletePackageRow, packageRecord, storePackage } from './package-rows.ts'
import { changeOpenRounds, endRounds, startRounds } from './round-rows.ts'
import { assertNumbers, assertTimeZone } from './round-rules.ts'

/**
 * Guests who have picked photos get a round. Open rounds get the new numbers, sent ones keep theirs. Throws NOT_FOUND,
 * EVENT_ARCHIVED, VALIDATION_ERROR, and INVALID_STATE while favorites are off.
 */
export async function savePackage(ctx: AppContext, eventId: number, body: PackageBody): Promise<PackageRecord> {
  const { minimum = 0, maximum = null, due_on = null, extra_text = '', time_zone = 'UTC' } = body
  const numbers = { included: body.included, minimum, maximum, due_on }
  assertNumbers(numbers)
  assertTimeZone(time_zone)
  const row = {
    event_id: eventId,
    ...numbers,
    purpose: body.purpose.trim(),
    extra_text: extra_text.trim(),
    time_zone,
    locks_on_submission: flag(body.locks_on_submission ?? true),
  }
  await inTransaction(ctx.db, `event ${eventId}`, async (tx) => {
    const event = await getChangeableEvent(tx, eventId)
    if (event.allow_favorites === 0) {
      throw new AppError('INVALID_STATE', { text: 'A package needs favorites. Turn on allow_favorites first.' })
    }
    await storePackage(tx, row)
    if (event.has_package === 1) return changeOpenRounds(tx, eventId, numbers)
    await setHasPackage(tx, eventId, true)
    await startRounds(tx, eventId, numbers)
  })
  ctx.changes.notify('event', eventId)
  return packageRecord(row)
}

/** Marks can change again. Selections and their receipts stay. Throws NOT_FOUND and EVENT_ARCHIVED. */
export async function removePackage(ctx: AppContext, eventId: number): Promise<void> {
  await inTransaction(ctx.db, `event ${eventId}`, async (tx) => {
    await getChangeableEvent(tx, eventId)
    await deletePackageRow(tx, eventId)
    await setHasPackage(tx, eventId, false)
    await endRounds(tx, eventId, ctx.clock.now())
  })
  ctx.changes.notify('event', eventId)
}
