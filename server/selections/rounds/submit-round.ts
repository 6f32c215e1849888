import { must } from '../../../contract/must.ts'
import type { Tx } from '../../platform/database/tables.ts'
import { findPackage, type PackageRow } from './package-rows.ts'
import { changeRound, findCurrentRound, type RoundRow, startRound } from './round-rows.ts'
import { assertSubmittable } from './round-rules.ts'

type Submission = { eventId: number; guestId: string; count: number; revision: number | undefined; now: number }

/** Must run with the lock of the event. Throws the errors of `assertSubmittable`. */
export async function submitRound(
  tx: Tx,
  { eventId, guestId, count, revision, now }: Submission,
): Promise<{ round: RoundRow; terms: PackageRow }> {
  const terms = must(await findPackage(tx, eventId), 'the package of the event')
  const current =
    (await findCurrentRound(tx, eventId, guestId)) ?? (await startRound(tx, { eventId, guestId, numbers: terms }))
  assertSubmittable({ round: current, count, ...(revision !== undefined && { revision }) })
  const isLocked = terms.locks_on_submission === 1
  const round = await changeRound(tx, current.id, {
    state: isLocked ? 'locked' : 'submitted',
    submitted_at: now,
    locked_at: isLocked ? now : null,
  })
  return { round, terms }
}
