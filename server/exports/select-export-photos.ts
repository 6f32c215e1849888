import { type ExportChoice, type PickFilter, pickFilters } from '../../contract/exports.ts'
import { matchesPickerFilter, type PickerFilter } from '../../contract/picker-modes.ts'
import { parseMarkFilter } from '../photos/lists/mark-filter-rules.ts'
import { AppError, invalidField } from '../platform/errors/app-error.ts'
import { listPickersByPhoto, listPossiblePickers } from '../selections/picked-photos.ts'
import { findSelectedIds } from '../selections/selection-rows.ts'
import type { AppContext } from '../settings/app-context.ts'
import { type ExportPhoto, listExportPhotos, loadExportPhotos } from './export-photos.ts'

export type ExportOwner = { eventId: number; userId: number }

/**
 * With `choice.selection`, filters are validated but not applied. Throws VALIDATION_ERROR for an invalid filter, and
 * NOT_FOUND for an unknown selection or a selection of another event.
 */
export async function selectExportPhotos(
  ctx: AppContext,
  owner: ExportOwner,
  choice: ExportChoice,
): Promise<ExportPhoto[]> {
  const { eventId } = owner
  const photoQuery = {
    ...owner,
    withPending: choice.comments === 'pending',
    filter: parseMarkFilter(choice),
    picks: parsePicks(choice.filter),
  }
  if (choice.selection !== undefined) {
    const ids = await findSelectedIds(ctx.db, eventId, choice.selection)
    if (!ids) throw new AppError('NOT_FOUND')
    return loadExportPhotos(ctx, photoQuery, ids)
  }
  const pickersFilter = parsePickers(choice)
  if (!pickersFilter) return listExportPhotos(ctx, photoQuery)
  const guestIds = await listPossiblePickers(ctx.db, eventId)
  const pickers = await listPickersByPhoto(ctx.db, eventId, guestIds)
  const marked = await listExportPhotos(ctx, photoQuery)
  return marked.filter(({ id }) => matchesPickerFilter(pickers.get(id) ?? [], pickersFilter))
}

function parsePickers({ picked_by = '', pickers: way, min_pickers }: ExportChoice): PickerFilter | null {
  const guestIds = [...new Set(picked_by.split(',').flatMap((id) => id.trim() || []))]
  if (guestIds.length === 0 && min_pickers === undefined) return null
  return { guestIds, way, minPickers: min_pickers ?? 1 }
}

function parsePicks(text = ''): PickFilter[] {
  const named = text.split(',').flatMap((word) => word.trim() || [])
  const known = pickFilters.filter((pick) => named.includes(pick))
  if (known.length < new Set(named).size) throw invalidField('filter', `must only contain ${pickFilters.join(', ')}`)
  return known
}
