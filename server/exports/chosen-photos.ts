import { type ExportChoice, type PickFilter, pickFilters } from '../../contract/exports.ts'
import { isPickedAsWanted, type PickersWanted } from '../../contract/picker-ways.ts'
import { markFilterOf } from '../photos/mark-filter-rules.ts'
import { mayHavePicked, pickersByPhoto } from '../photos/picked-photos.ts'
import { AppError, invalidField } from '../platform/app-error.ts'
import { findSelectedIds } from '../proofing/selection-rows.ts'
import type { AppContext } from '../settings/app-context.ts'
import { type MarkedPhoto, markedPhotos, photosAgain } from './marked-photos.ts'

export type Asking = { eventId: number; userId: number }

/**
 * A selection has priority over the filters. Throws VALIDATION_ERROR, and NOT_FOUND for a selection of another event.
 */
export async function chosenPhotos(ctx: AppContext, asking: Asking, choice: ExportChoice): Promise<MarkedPhoto[]> {
  const { eventId } = asking
  const photoQuery = { ...asking, filter: markFilterOf(choice), picks: picksIn(choice.filter) }
  if (choice.selection !== undefined) {
    const ids = await findSelectedIds(ctx.db, eventId, choice.selection)
    if (!ids) throw new AppError('NOT_FOUND')
    return photosAgain(ctx, asking, ids)
  }
  const wanted = pickersIn(choice)
  if (!wanted) return markedPhotos(ctx, photoQuery)
  const guestIds = await mayHavePicked(ctx.db, eventId)
  const pickers = await pickersByPhoto(ctx.db, eventId, guestIds)
  const marked = await markedPhotos(ctx, photoQuery)
  return marked.filter(({ id }) => isPickedAsWanted(pickers.get(id) ?? [], wanted))
}

function pickersIn({ picked_by = '', pickers: way, min_pickers }: ExportChoice): PickersWanted | null {
  const guestIds = [...new Set(picked_by.split(',').flatMap((id) => id.trim() || []))]
  if (guestIds.length === 0 && min_pickers === undefined) return null
  return { guestIds, way, fewest: min_pickers ?? 1 }
}

function picksIn(text = ''): PickFilter[] {
  const named = text.split(',').flatMap((word) => word.trim() || [])
  const known = pickFilters.filter((pick) => named.includes(pick))
  if (known.length < new Set(named).size) throw invalidField('filter', `may name ${pickFilters.join(', ')}`)
  return known
}
