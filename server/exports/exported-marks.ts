import type { ExportChoice } from '../../contract/exports.ts'
import type { ColorLabel, MarkSource } from '../../contract/marks.ts'
import { allMarks } from '../proofing/mark-joins.ts'
import type { Comment, MarkedPhoto } from './marked-photos.ts'

/** What an export tells of a photo. */
export type ExportedMarks = {
  photoId: number
  sourceFilename: string
  category: string | null
  /** Merged for the requested source. */
  rating: number | null
  colorLabel: ColorLabel | null
  marks: ReturnType<typeof allMarks>
  /** What the export told of it that this one goes on from; null where it told nothing. */
  before: ToldMarks | null
  comments: Comment[]
}

/** What is kept of an exported photo: stars, colour, and a text that is another one once any of its marks is. */
export type ToldMarks = [rating: number | null, colorLabel: ColorLabel | null, digest: string]

export function exportedMarks(photo: MarkedPhoto, source: MarkSource, before: ToldMarks | null): ExportedMarks {
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

/** Stars and a colour where nobody has given any, if such are wanted: a heart alone is nothing to other programs. */
export const fillGaps = (photo: ExportedMarks, { unrated_as, unlabeled_as }: ExportChoice): ExportedMarks => ({
  ...photo,
  rating: photo.rating ?? unrated_as ?? null,
  colorLabel: photo.colorLabel ?? unlabeled_as ?? null,
})

/** Not another one for a new name or category, nor where gaps are filled otherwise. */
export const toldMarks = ({ rating, colorLabel, marks, comments }: ExportedMarks): ToldMarks => [
  rating,
  colorLabel,
  JSON.stringify([...Object.values(marks), ...comments.map(({ id }) => id)]),
]
