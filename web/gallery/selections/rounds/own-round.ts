import { effect, signal } from '@preact/signals'
import type { MyFeedback } from '../../../../contract/feedback.ts'
import type { GuestRound, GuestRoundReply } from '../../../../contract/gallery/rounds.ts'
import { ApiError } from '../../../shared/api-error.ts'
import { reloadSelection } from '../../marks/last-selection.ts'
import { waitingMarks } from '../../marks/own-marks.ts'
import { call } from '../../state/api.ts'
import { page } from '../../state/page.ts'
import { asked, counts, loadList } from '../../state/photos.ts'

/** Null once the photographer has removed the package. */
export const ownRound = signal<GuestRound | null>(page.round)

const loadRound = async (): Promise<GuestRound | null> => (await call<typeof GuestRoundReply>('/round')).round

/** Also loads the picks again if they have changed elsewhere. If a request fails, the page stays as it is. */
export async function reloadRound(): Promise<void> {
  try {
    const round = await loadRound()
    const before = ownRound.peek()
    ownRound.value = round
    if (round?.state !== before?.state || round?.number !== before?.number) await reloadSelection()
    if (round && waitingMarks.peek() === 0 && round.count !== counts.peek().favorited) await reloadPicks()
  } catch {
    // The next call tries again.
  }
}

export async function reloadPicks(): Promise<void> {
  const own = await call<typeof MyFeedback>('/my-feedback?limit=1')
  if (waitingMarks.peek() === 0) counts.value = own.counts
  await loadList(asked.peek())
}

/** The revision of the picks that the dialog has shown. Null if the guest has changed them since, or before it is known. */
let seenRevision: number | null = null

effect(() => {
  counts.value
  seenRevision = null
})

/** Call it when the dialog that sends the picks opens. */
export async function watchRevision(): Promise<void> {
  await reloadRound()
  if (waitingMarks.peek() === 0) seenRevision = ownRound.peek()?.revision ?? null
}

/** See `RoundHooks`. Without waiting, so that the picks can be sent when the page is left. */
export const confirmRevision = (): number | Promise<number> => seenRevision ?? askRevision()

/** The own marks of this page are sent. The number of picks shows whether there are others. */
async function askRevision(): Promise<number> {
  const round = await loadRound()
  ownRound.value = round
  if (round && round.count !== counts.peek().favorited) throw new ApiError(409, { code: 'SELECTION_CHANGED' })
  return round?.revision ?? 0
}
