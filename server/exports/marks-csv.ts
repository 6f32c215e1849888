import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import { colorLabels } from '../../contract/marks.ts'
import type { ExportedMarks } from './exported-marks.ts'

type Column = { key: string; read: (photo: ExportedMarks) => string | number | null }

const columns: Column[] = [
  { key: 'source_filename', read: (photo) => photo.sourceFilename },
  { key: 'rating', read: (photo) => photo.rating },
  { key: 'color_label', read: (photo) => photo.colorLabel },
  { key: 'average_rating', read: ({ marks }) => marks.average_rating },
  { key: 'like_count', read: ({ marks }) => marks.like_count },
  { key: 'favorite_count', read: ({ marks }) => marks.favorite_count },
  { key: 'comment_count', read: ({ marks }) => marks.comment_count },
  { key: 'feedback_count', read: ({ marks }) => marks.feedback_count },
  ...colorLabels.map((color): Column => ({ key: color, read: ({ marks }) => marks.color_labels[color] ?? 0 })),
  { key: 'my_rating', read: ({ marks }) => marks.my_rating },
  { key: 'my_color_label', read: ({ marks }) => marks.my_color_label },
  { key: 'category', read: (photo) => photo.category },
  { key: 'photo_id', read: (photo) => photo.photoId },
  {
    key: 'comments',
    read: ({ comments }) =>
      comments.map(({ guestName, text }) => (guestName ? `${guestName}: ${text}` : text)).join('\n'),
  },
]

/** The CSV starts with a byte order mark, without which some spreadsheet programs do not detect UTF-8. */
export const createMarksCsv = (photos: readonly ExportedMarks[]): Readable =>
  Readable.from(generateRows(photos)).pipe(
    stringify({
      header: true,
      columns: columns.map(({ key }) => key),
      bom: true,
      record_delimiter: 'windows',
      escape_formulas: true,
    }),
  )

function* generateRows(photos: readonly ExportedMarks[]) {
  for (const photo of photos) yield columns.map(({ read }) => read(photo))
}
