import type { ExportChanges, ExportChoice, ExportFormat } from '../../contract/exports.ts'
import { AppError } from '../platform/app-error.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { AppContext } from '../settings/app-context.ts'
import { type Asking, chosenPhotos } from './chosen-photos.ts'
import { exportRecord, findExport, keepExport, type MarkExport } from './export-rows.ts'
import {
  createMarksSnapshot,
  type ExportedMarks,
  exportedMarks,
  fillGaps,
  type MarksSnapshot,
} from './exported-marks.ts'
import { type MarkedPhoto, photosAgain } from './marked-photos.ts'

type Wanted = Asking & {
  format: ExportFormat
  choice: ExportChoice
  /** The id of an earlier export to compare with. */
  since: number | null
}

export type MarksExport = { id: number; exportedAt: number; photos: ExportedMarks[] }

/**
 * With `since`, returns only photos whose marks have changed, and those that are no longer picked. Throws NOT_FOUND for
 * a selection of another event, and for an earlier export of another account or event.
 */
export async function exportMarks(ctx: AppContext, wanted: Wanted): Promise<MarksExport> {
  const { db, clock } = ctx
  const { eventId, userId, format, choice, since } = wanted
  const earlier = since === null ? null : await getExport(ctx, wanted, since)
  const { picked, changed, again } = await compared(ctx, wanted, choice, earlier)
  const now = clock.now()
  const marks = Object.fromEntries(picked.map((photo) => [photo.photoId, createMarksSnapshot(photo)]))
  const row = {
    event_id: eventId,
    user_id: userId,
    format,
    photo_count: picked.length,
    created_at: now,
    choice: JSON.stringify(choice),
  }
  const id = await inTransaction(db, `event ${eventId}`, (tx) =>
    keepExport(tx, { ...row, marks: JSON.stringify(marks) }),
  )
  return { id, exportedAt: now, photos: earlier ? [...changed, ...again] : picked }
}

/** Does not create an export. Throws NOT_FOUND for one of another account or event, and for one without a `choice`. */
export async function changesSince(ctx: AppContext, asking: Asking, exportId: number): Promise<ExportChanges> {
  const earlier = await getExport(ctx, asking, exportId)
  if (earlier.choice === null) throw new AppError('NOT_FOUND')
  const { changed, again } = await compared(ctx, asking, JSON.parse(earlier.choice), earlier)
  const [added, others] = [true, false].map((isNew) => changed.filter(({ before }) => (before === null) === isNew))
  const idsOf = (photos: ExportedMarks[] = []) => photos.map(({ photoId }) => photoId)
  return { export: exportRecord(earlier), added: idsOf(added), changed: idsOf(others), removed: idsOf(again) }
}

async function getExport({ db }: AppContext, asking: Asking, id: number): Promise<MarkExport> {
  const found = await findExport(db, id, asking)
  if (!found) throw new AppError('NOT_FOUND')
  return found
}

async function compared(ctx: AppContext, asking: Asking, choice: ExportChoice, earlier: MarkExport | null) {
  const before = new Map(Object.entries(JSON.parse(earlier?.marks ?? '{}') as Record<string, MarksSnapshot>))
  const told = (photo: MarkedPhoto) => exportedMarks(photo, choice.mark_source, before.get(String(photo.id)) ?? null)
  const picked = (await chosenPhotos(ctx, asking, choice)).map((photo) => fillGaps(told(photo), choice))
  const changed = picked.filter((photo) => photo.before?.[2] !== createMarksSnapshot(photo)[2])
  const pickedIds = new Set(picked.map(({ photoId }) => photoId))
  const gone = [...before.keys()].map(Number).filter((photoId) => !pickedIds.has(photoId))
  const again = (await photosAgain(ctx, asking, gone)).map(told)
  return { picked, changed, again }
}
