import { type Static, Type } from 'typebox'
import { colorLabels } from './marks.ts'
import { MarkFilterQuery } from './photos.ts'
import { PickerQuery } from './picks.ts'
import type { ResponseHeader } from './response-headers.ts'
import { DescribedId, fileReplies, Id, Nullable, OneOf, TextParam, Timestamp, Whole } from './shapes.ts'

export const pickFilters = ['liked', 'favorited', 'commented'] as const
export type PickFilter = (typeof pickFilters)[number]

export const exportFormats = ['csv', 'xmp', 'list'] as const
export type ExportFormat = (typeof exportFormats)[number]

export const labelLanguages = ['en', 'de', 'bridge'] as const

const separators = ['newline', 'comma', 'space'] as const

/** Without a filter or selection, the export covers every photo with guest feedback or own marks, see `mark_source`. */
export const ExportChoice = Type.Object(
  {
    ...MarkFilterQuery.properties,
    ...PickerQuery.properties,
    selection: Type.Optional(DescribedId('Id of a selection that a guest handed in: its photos, marked or not')),
    filter: TextParam(
      100,
      'Only what a guest `liked`, `favorited` or `commented`; any of several with commas in between',
      'liked,favorited',
    ),
    unrated_as: Type.Optional(
      Whole(1, 5, 'Stars for photos that nobody has given any, such as those that were picked by a heart alone'),
    ),
    unlabeled_as: Type.Optional(OneOf(colorLabels, { description: 'A colour for photos that nobody has given one' })),
  },
  { title: 'ExportChoice' },
)
export type ExportChoice = Static<typeof ExportChoice>

export const ExportQuery = Type.Object({
  ...ExportChoice.properties,
  format: OneOf(exportFormats, { description: 'A table, sidecar files in a ZIP, or the file names alone' }),
  since: Type.Optional(DescribedId('Id of an earlier export of yours: only photos whose marks differ since')),
  label_language: OneOf(labelLanguages, {
    default: 'en',
    description: 'Names of the colours in `xmp:Label`: those of Lightroom in English or German, or those of Bridge',
  }),
  labels: TextParam(
    300,
    'Names of your own for red, yellow, green, blue and purple, with commas in between',
    'Rouge,Jaune,Vert,Bleu,Violet',
  ),
  naming: OneOf(['stem', 'full'], { default: 'stem', description: '`IMG_1234.xmp`, or `IMG_1234.CR3.xmp`' }),
  raw_extension: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9]{1,8}$',
      'x-pattern': 'must be 1 to 8 letters and digits',
      description: 'With `full`: of your raw files, instead of that of the uploaded ones',
      examples: ['CR3'],
    }),
  ),
  separator: OneOf(separators, { default: 'newline', description: 'Between the names of a list' }),
})
export type ExportQuery = Static<typeof ExportQuery>

export const ExportRecord = Type.Object({
  id: Id,
  format: OneOf(exportFormats),
  photo_count: Type.Integer(),
  created_at: Timestamp,
  choice: Nullable(ExportChoice, { description: 'What was asked for; null where that was not kept yet' }),
})
export type ExportRecord = Static<typeof ExportRecord>

export const ExportList = Type.Object({ exports: Type.Array(ExportRecord) })

const ids = (description: string) => Type.Array(Id, { description })

export const ExportChanges = Type.Object({
  export: ExportRecord,
  added: ids('Photos that were not in it'),
  changed: ids('Photos whose marks are others since'),
  removed: ids('Photos that were in it and would not be any more; those deleted since are left out'),
})
export type ExportChanges = Static<typeof ExportChanges>

const exportHeaders = ['Content-Disposition', 'X-Export-Id', 'X-Export-Photos'] satisfies ResponseHeader[]
const Text = Type.Unsafe<unknown>({ type: 'string' })
const zipReplies = fileReplies('application/zip', 'The sidecars as a ZIP', exportHeaders)

/** Only the ZIP supports ranges; the CSV is generated while it is sent. */
export const ExportedMarks = {
  ...zipReplies,
  200: {
    description: 'A table, a list of file names, or sidecars as a ZIP',
    headers: exportHeaders,
    content: { 'text/csv': { schema: Text }, 'text/plain': { schema: Text }, ...zipReplies[200].content },
  },
}
