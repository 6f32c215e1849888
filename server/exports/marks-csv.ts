import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import { colorLabels } from '../../contract/marks.ts'
import type { ExportedMarks } from './exported-marks.ts'

type Column = { key: string; of: (photo: ExportedMarks) => string | number | null }

const columns: Column[] = [
  { key: 'source_filename', of: (photo) => photo.sourceFilename },
  { key: 'rating', of: (photo) => photo.rating },
  { key: 'color_label', of: (photo) => photo.colorLabel },
  { key: 'average_rating', of: ({ marks }) => marks.average_rating },
  { key: 'like_count', of: ({ marks }) => marks.like_count },
  { key: 'favorite_count', of: ({ marks }) => marks.favorite_count },
  { key: 'comment_count', of: ({ marks }) => marks.comment_count },
  { key: 'feedback_count', of: ({ marks }) => marks.feedback_count },
  ...colorLabels.map((color): Column => ({ key: color, of: ({ marks }) => marks.color_labels[color] ?? 0 })),
  { key: 'my_rating', of: ({ marks }) => marks.my_rating },
  { key: 'my_color_label', of: ({ marks }) => marks.my_color_label },
  { key: 'category', of: (photo) => photo.category },
  { key: 'photo_id', of: (photo) => photo.photoId },
  {
    key: 'comments',
    of: ({ comments }) =>
      comments.map(({ guestName, text }) => (guestName ? `${guestName}: ${text}` : text)).join('\n'),
  },
]

/** Some spreadsheet programs detect UTF-8 only by its byte order mark. */
export const marksCsv = (photos: readonly ExportedMarks[]): Readable =>
  Readable.from(rowsOf(photos)).pipe(
    stringify({
      header: true,
      columns: columns.map(({ key }) => key),
      bom: true,
      record_delimiter: 'windows',
      escape_formulas: true,
    }),
  )

function* rowsOf(photos: readonly ExportedMarks[]) {
  for (const photo of photos) yield columns.map(({ of }) => of(photo))
}
