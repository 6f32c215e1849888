import type { Readable } from 'node:stream'
import { colorLabels } from '../../contract/marks.ts'
import { type CsvColumn, createCsv } from '../platform/text/csv.ts'
import type { ExportedMarks } from './exported-marks.ts'

export type Column = CsvColumn<ExportedMarks>

/** The headers are keys for programs, so they must not change. */
const keyColumns: Column[] = [
  { header: 'source_filename', read: (photo) => photo.sourceFilename },
  { header: 'rating', read: (photo) => photo.rating },
  { header: 'color_label', read: (photo) => photo.colorLabel },
  { header: 'average_rating', read: ({ marks }) => marks.average_rating },
  { header: 'like_count', read: ({ marks }) => marks.like_count },
  { header: 'favorite_count', read: ({ marks }) => marks.favorite_count },
  { header: 'comment_count', read: ({ marks }) => marks.comment_count },
  { header: 'feedback_count', read: ({ marks }) => marks.feedback_count },
  ...colorLabels.map((color): Column => ({ header: color, read: ({ marks }) => marks.color_labels[color] ?? 0 })),
  { header: 'my_rating', read: ({ marks }) => marks.my_rating },
  { header: 'my_color_label', read: ({ marks }) => marks.my_color_label },
  { header: 'category', read: (photo) => photo.category },
  { header: 'photo_id', read: (photo) => photo.photoId },
  {
    header: 'comments',
    read: ({ comments }) =>
      comments.map(({ guestName, text }) => (guestName ? `${guestName}: ${text}` : text)).join('\n'),
  },
]

/** `further`: columns of features that are off for most events. */
export const createMarksCsv = (photos: readonly ExportedMarks[], further: readonly Column[]): Readable =>
  createCsv([...keyColumns, ...further], photos)
