import type { ExportChanges, ExportChoice, ExportFormat } from '../../contract/exports.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { findAgreed } from '../selections/receipts/agreed-selections.ts'
import type { AppContext } from '../settings/app-context.ts'
import { type ExportPhoto, loadExportPhotos, loadGuestMarks } from './export-photos.ts'
import { exportRecord, findExport, type MarkExport, storeExport } from './export-rows.ts'
import {
  createMarksSnapshot,
  type ExportedMarks,
  fillMissingMarks,
  type MarksSnapshot,
  toExportedMarks,
} from './exported-marks.ts'
import { type ExportOwner, selectExportPhotos } from './select-export-photos.ts'

type ExportRequest = ExportOwner & {
  format: ExportFormat
  choice: ExportChoice
  /** The id of an earlier export to compare with. */
  since: number | null
}

export type MarksExport = { id: number; exportedAt: number; photos: ExportedMarks[] }

/**
 * Stores an export. With `since`, returns only photos that were added, changed or removed since that export. Throws
 * VALIDATION_ERROR, and NOT_FOUND if the event has no such selection or no such export of this account.
 */
export async function exportMarks(ctx: AppContext, exportRequest: ExportRequest): Promise<MarksExport> {
  const { db, clock } = ctx
  const { eventId, userId, format, choice, since } = exportRequest
  const earlier = since === null ? null : await getExport(ctx, exportRequest, since)
  const { picked, changed, unpicked } = await compareMarks(ctx, exportRequest, choice, earlier)
  const now = clock.now()
  const marks = Object.fromEntries(
    picked.map((photo) => [photo.photoId, createMarksSnapshot(photo, choice.mark_source)]),
  )
  const row = {
    event_id: eventId,
    user_id: userId,
    format,
    photo_count: picked.length,
    created_at: now,
    choice: JSON.stringify(choice),
    marks: JSON.stringify(marks),
  }
  const id = await inTransaction(db, `event ${eventId}`, (tx) => storeExport(tx, row))
  return { id, exportedAt: now, photos: earlier ? [...changed, ...unpicked] : picked }
}

/**
 * Compares the current marks with an earlier export, without storing a new one. Throws NOT_FOUND for an export of
 * another account or event, and for an export without a `choice`.
 */
export async function compareWithExport(ctx: AppContext, owner: ExportOwner, exportId: number): Promise<ExportChanges> {
  const earlier = await getExport(ctx, owner, exportId)
  if (earlier.choice === null) throw new AppError('NOT_FOUND')
  const { changed, unpicked } = await compareMarks(ctx, owner, JSON.parse(earlier.choice), earlier)
  const [added, others] = [true, false].map((isNew) => changed.filter(({ before }) => (before === null) === isNew))
  const photoIds = (photos: ExportedMarks[] = []) => photos.map(({ photoId }) => photoId)
  return {
    export: exportRecord(earlier),
    added: photoIds(added),
    changed: photoIds(others),
    removed: photoIds(unpicked),
  }
}

async function getExport({ db }: AppContext, owner: ExportOwner, id: number): Promise<MarkExport> {
  const found = await findExport(db, id, owner)
  if (!found) throw new AppError('NOT_FOUND')
  return found
}

/** Returns the marks of the guest of `marks_of`, or else those that were submitted in a round; null for all guests. */
async function findGuestMarks(ctx: AppContext, eventId: number, { marks_of, selection }: ExportChoice) {
  if (marks_of !== undefined) return loadGuestMarks(ctx, eventId, marks_of)
  const agreed = selection === undefined ? null : await findAgreed(ctx.db, eventId, selection)
  return agreed && new Map(agreed.snapshot.photos.map(({ id, rating, color_label }) => [id, { rating, color_label }]))
}

async function compareMarks(ctx: AppContext, owner: ExportOwner, choice: ExportChoice, earlier: MarkExport | null) {
  const before = new Map(Object.entries(JSON.parse(earlier?.marks ?? '{}') as Record<string, MarksSnapshot>))
  const guestMarks = await findGuestMarks(ctx, owner.eventId, choice)
  const exportPhoto = (photo: ExportPhoto) =>
    toExportedMarks(photo, choice.mark_source, before.get(String(photo.id)) ?? null, guestMarks)
  const picked = (await selectExportPhotos(ctx, owner, choice)).map((photo) =>
    fillMissingMarks(exportPhoto(photo), choice),
  )
  const changed = picked.filter((photo) => photo.before?.[2] !== createMarksSnapshot(photo, choice.mark_source)[2])
  const pickedIds = new Set(picked.map(({ photoId }) => photoId))
  const unpickedIds = [...before.keys()].map(Number).filter((photoId) => !pickedIds.has(photoId))
  const unpicked = (
    await loadExportPhotos(ctx, { ...owner, withPending: choice.comments === 'pending' }, unpickedIds)
  ).map(exportPhoto)
  return { picked, changed, unpicked }
}
