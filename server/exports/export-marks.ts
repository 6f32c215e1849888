import type { ExportFormat, PickFilter } from '../../contract/exports.ts'
import { inDeed } from '../platform/database/deed.ts'
import { Refusal } from '../platform/refusal.ts'
import type { MarkFilter } from '../proofing/mark-filters.ts'
import { findSelectedIds } from '../proofing/selection-rows.ts'
import type { House } from '../settings/house.ts'
import { findExport, keepExport } from './export-rows.ts'
import { type ExportedMarks, exportedMarks, type ToldMarks, toldMarks } from './exported-marks.ts'
import { type MarkedPhoto, markedPhotos, photosAgain } from './marked-photos.ts'

type Wanted = {
  eventId: number
  userId: number
  format: ExportFormat
  filter: MarkFilter
  picks: readonly PickFilter[]
  /** A selection: its photos, whatever the filters. */
  selection: number | null
  /** An earlier export to go on from. */
  since: number | null
}

export type MarksExport = { id: number; exportedAt: number; photos: ExportedMarks[] }

/**
 * What an account takes home: the photos that were picked, or of these only the ones whose marks differ from an earlier
 * export, and the ones that were in it and are picked no more. Each is kept for the next to compare with. Throws
 * NOT_FOUND for a selection of another event, and for an earlier export that is not this account's of this event.
 */
export async function exportMarks(house: House, wanted: Wanted): Promise<MarksExport> {
  const { db, clock } = house
  const { eventId, userId, format, filter, since } = wanted
  const earlier = since === null ? null : await findExport(db, since, { eventId, userId })
  if (earlier === undefined) throw new Refusal('NOT_FOUND')
  const before = new Map(Object.entries(JSON.parse(earlier?.marks ?? '{}') as Record<string, ToldMarks>))
  const told = (photo: MarkedPhoto) => exportedMarks(photo, filter.source, before.get(String(photo.id)) ?? null)

  const picked = (await pickedPhotos(house, wanted)).map(told)
  const now = clock.now()
  const marks = Object.fromEntries(picked.map((photo) => [photo.photoId, toldMarks(photo)]))
  const row = { event_id: eventId, user_id: userId, format, photo_count: picked.length, created_at: now }
  const id = await inDeed(db, `event ${eventId}`, (tx) => keepExport(tx, { ...row, marks: JSON.stringify(marks) }))
  if (!earlier) return { id, exportedAt: now, photos: picked }

  const changed = picked.filter((photo) => photo.before?.[2] !== toldMarks(photo)[2])
  const gone = [...before.keys()].map(Number).filter((photoId) => !(photoId in marks))
  const again = (await photosAgain(house, { eventId, userId }, gone)).map(told)
  return { id, exportedAt: now, photos: [...changed, ...again] }
}

async function pickedPhotos(
  house: House,
  { eventId, userId, filter, picks, selection }: Wanted,
): Promise<MarkedPhoto[]> {
  if (selection === null) return markedPhotos(house, { eventId, userId, filter, picks })
  const ids = await findSelectedIds(house.db, eventId, selection)
  if (!ids) throw new Refusal('NOT_FOUND')
  return photosAgain(house, { eventId, userId }, ids)
}
