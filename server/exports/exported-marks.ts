import type { ExportChoice } from '../../contract/exports.ts'
import type { ColorLabel, MarkSource } from '../../contract/marks.ts'
import { allMarks } from '../feedback/mark-joins.ts'
import type { Comment, ExportPhoto } from './export-photos.ts'

export type ExportedMarks = {
  photoId: number
  sourceFilename: string
  category: string | null
  /** Merged for the requested source. */
  rating: number | null
  colorLabel: ColorLabel | null
  marks: ReturnType<typeof allMarks>
  /** Null if the earlier export did not contain the photo. */
  before: MarksSnapshot | null
  comments: Comment[]
}

/** `digest` changes with any mark of the photo, but not with its name, category or filled gaps. */
export type MarksSnapshot = [rating: number | null, colorLabel: ColorLabel | null, digest: string]

export function toExportedMarks(photo: ExportPhoto, source: MarkSource, before: MarksSnapshot | null): ExportedMarks {
  const marks = allMarks(photo, source)
  return {
    photoId: photo.id,
    sourceFilename: photo.source_filename,
    category: photo.category_name,
    rating: marks.rating,
    colorLabel: marks.color_label,
    marks,
    before,
    comments: photo.comments,
  }
}

/** Other programs cannot read likes, so a picked photo can get a default rating and color. */
export const fillMissingMarks = (photo: ExportedMarks, { unrated_as, unlabeled_as }: ExportChoice): ExportedMarks => ({
  ...photo,
  rating: photo.rating ?? unrated_as ?? null,
  colorLabel: photo.colorLabel ?? unlabeled_as ?? null,
})

export const createMarksSnapshot = ({ rating, colorLabel, marks, comments }: ExportedMarks): MarksSnapshot => [
  rating,
  colorLabel,
  JSON.stringify([...Object.values(marks), ...comments.map(({ id }) => id)]),
]
