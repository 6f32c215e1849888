import { must } from '../../../contract/must.ts'
import type { Tx } from '../../platform/database/tables.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { MarkLock } from '../../settings/belongings.ts'
import { findPackage } from './package-rows.ts'
import { countPickChange, countPicks, findCurrentRound, hasSentRound, startRound } from './round-rows.ts'
import { isSent, type RoundNumbers } from './round-rules.ts'

/**
 * Marks of a guest whose picks were sent do not change, and picks never exceed the maximum. All of it is read in the
 * transaction of the change, which has the lock of the event.
 */
export const markLock: MarkLock = {
  /** Throws SELECTION_LOCKED and SELECTION_LIMIT_REACHED. */
  async assertChange(tx, { eventId, guestId, picks }) {
    const round = await findCurrentRound(tx, eventId, guestId)
    if (round && isSent(round)) throw new AppError('SELECTION_LOCKED')
    if (picks === 0) return
    const numbers: RoundNumbers = round ?? must(await findPackage(tx, eventId), 'the package of the event')
    if (picks > 0 && numbers.maximum !== null) {
      const count = (await countPicks(tx, eventId, [guestId])).get(guestId) ?? 0
      if (count >= numbers.maximum) throw new AppError('SELECTION_LIMIT_REACHED')
    }
    const { id } = round ?? (await startRound(tx, { eventId, guestId, numbers }))
    await countPickChange(tx, id)
  },

  /** Throws SELECTION_LOCKED. */
  async assertMerge(tx, { eventId, from, into }) {
    const isAnySent = (await hasSentRound(tx, eventId, from)) || (await hasSentRound(tx, eventId, into))
    if (isAnySent && (await hasMarks(tx, eventId, from))) throw new AppError('SELECTION_LOCKED')
  },
}

async function hasMarks(tx: Tx, eventId: number, guestId: string): Promise<boolean> {
  for (const table of ['feedback', 'threads', 'selections'] as const) {
    const rows = tx.selectFrom(table).select('id').where('event_id', '=', eventId)
    if (await rows.where('guest_id', '=', guestId).limit(1).executeTakeFirst()) return true
  }
  return false
}
