import type { ExportChoice } from '../../contract/exports.ts'
import type { ColorLabel, MarkSource } from '../../contract/marks.ts'
import { allMarks } from '../feedback/marks/mark-joins.ts'
import type { OwnMark } from '../feedback/marks/mark-rules.ts'
import type { Comment, ExportPhoto } from './export-photos.ts'

export type ExportedMarks = {
  photoId: number
  sourceFilename: string
  isOfGuest: boolean
  /** Epoch milliseconds. */
  capturedAt: number | null
  category: string | null
  /** `rating` and `colorLabel`: of the requested source, or the defaults of `fillMissingMarks`. */
  rating: number | null
  colorLabel: ColorLabel | null
  marks: ReturnType<typeof allMarks>
  /** Null if there is no earlier export, or if it did not contain the photo. */
  before: MarksSnapshot | null
  comments: Comment[]
}

const noMark: OwnMark = { rating: null, color_label: null }

/** `digest` contains the values of `marks` and the ids of the comments (negative while they await
 * approval), without the defaults of `fillMissingMarks`. */
export type MarksSnapshot = [rating: number | null, colorLabel: ColorLabel | null, digest: string]

/** `guestMarks`: the marks of one guest by photo id; null for those of all guests. */
export function toExportedMarks(
  photo: ExportPhoto,
  source: MarkSource,
  before: MarksSnapshot | null,
  guestMarks: ReadonlyMap<number, OwnMark> | null,
): ExportedMarks {
  const marks = allMarks(photo, source, guestMarks ? (guestMarks.get(photo.id) ?? noMark) : undefined)
  return {
    photoId: photo.id,
    sourceFilename: photo.source_filename,
    isOfGuest: photo.uploaded_by === 'guest',
    capturedAt: photo.captured_at,
    category: photo.category_name,
    rating: marks.rating,
    colorLabel: marks.color_label,
    marks,
    before,
    comments: photo.comments,
  }
}

/**
 * Photo programs do not know likes and favorites. With these defaults, a photo that has only a like or a favorite gets
 * a rating or a color label that such programs show.
 */
export const fillMissingMarks = (photo: ExportedMarks, { unrated_as, unlabeled_as }: ExportChoice): ExportedMarks => ({
  ...photo,
  rating: photo.rating ?? unrated_as ?? null,
  colorLabel: photo.colorLabel ?? unlabeled_as ?? null,
})

/** With `client`, own marks are not part of the snapshot, so that changing them does not change the export. */
export function createMarksSnapshot(
  { rating, colorLabel, marks, comments }: ExportedMarks,
  source: MarkSource,
): MarksSnapshot {
  const compared = source === 'client' ? { ...marks, my_rating: null, my_color_label: null } : marks
  const commentIds = comments.map(({ id, isPending }) => (isPending ? -id : id))
  return [rating, colorLabel, JSON.stringify([...Object.values(compared), ...commentIds])]
}
