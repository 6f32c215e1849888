import { type Static, Type } from 'typebox'
import { languages, sourceLanguage, tableHeaders } from './languages.ts'
import { colorLabels } from './marks.ts'
import { MarkFilterQuery } from './photos.ts'
import { PickerQuery } from './picks.ts'
import type { ResponseHeader } from './response-headers.ts'
import { DescribedId, fileReplies, Id, Nullable, OneOf, TextParam, Timestamp, Whole } from './shapes.ts'

export const pickFilters = ['liked', 'favorited', 'commented'] as const
export type PickFilter = (typeof pickFilters)[number]

export const exportFormats = ['csv', 'xmp', 'list'] as const
export type ExportFormat = (typeof exportFormats)[number]

export const labelLanguages = ['en', 'de', 'fr', 'it', 'ja', 'bridge'] as const
export type LabelLanguage = (typeof labelLanguages)[number]

const separators = ['newline', 'comma', 'space'] as const

/** Without a filter or selection, the export covers every photo with guest feedback or own marks, see `mark_source`. */
export const ExportChoice = Type.Object(
  {
    ...MarkFilterQuery.properties,
    ...PickerQuery.properties,
    selection: Type.Optional(
      DescribedId(
        'ID of a submitted selection. Exports its photos, with or without marks; the filters are not applied. With a round, rating and color label of guests are those that were submitted, unless `marks_of` names a guest',
      ),
    ),
    filter: TextParam(
      100,
      'Only photos that any guest has `liked`, `favorited` or `commented`; comma-separated values match any of them',
      'liked,favorited',
    ),
    marks_of: TextParam(
      64,
      'ID of a guest: with `mark_source` `client` or `either`, the exported rating and color label of guests are those of this guest, not those of all guests',
    ),
    comments: Type.Optional(
      OneOf(['approved', 'pending'], {
        description: 'With `pending`, also comments that await approval; by default only `approved` ones',
      }),
    ),
    unrated_as: Type.Optional(Whole(1, 5, 'Rating for photos without one, such as photos that are only favorites')),
    unlabeled_as: Type.Optional(OneOf(colorLabels, { description: 'Color label for photos without one' })),
  },
  { title: 'ExportChoice' },
)
export type ExportChoice = Static<typeof ExportChoice>

export const ExportQuery = Type.Object({
  ...ExportChoice.properties,
  format: OneOf(exportFormats, { description: 'A table, XMP sidecars in a ZIP, or a list of file names' }),
  headers: OneOf(tableHeaders, {
    default: 'keys',
    description:
      'Headers of the table: `keys` for programs, or a language. The table in a language is made for people: it names the guests who picked each photo, and has your own marks only if `mark_source` includes them, and private notes only for API tokens with `reads_notes`. For sidecars, the language of the words in `photoshop:Instructions`',
  }),
  since: Type.Optional(
    DescribedId('ID of one of your earlier exports. Exports only photos that were added, changed or removed since'),
  ),
  label_language: OneOf(labelLanguages, {
    default: 'en',
    description: 'Color names in `xmp:Label`: those of Lightroom in one of five languages, or those of Bridge',
  }),
  labels: TextParam(
    300,
    'Custom names for red, yellow, green, blue and purple, separated by commas',
    'Rood,Geel,Groen,Blauw,Paars',
  ),
  naming: OneOf(['stem', 'full'], { default: 'stem', description: '`IMG_1234.xmp`, or `IMG_1234.CR3.xmp`' }),
  raw_extension: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9]{1,8}$',
      'x-pattern': 'must be 1 to 8 letters and digits',
      description:
        'With `naming=full`: the extension of your raw files, which replaces the extension of the uploaded files',
      examples: ['CR3'],
    }),
  ),
  separator: OneOf(separators, { default: 'newline', description: 'Separator between the names of a list' }),
})
export type ExportQuery = Static<typeof ExportQuery>

const { format: _format, headers: _headers, separator: _separator, ...sidecarQuery } = ExportQuery.properties

export const MergeSidecarsQuery = Type.Object({
  ...sidecarQuery,
  language: OneOf(languages, {
    default: sourceLanguage,
    description: 'Language of the words in `photoshop:Instructions`, and of the list of sidecars that are left out',
  }),
})

export const maxMergedSidecars = 500

/** The multipart body is streamed, so Fastify does not validate it; the code that reads the body does. */
export const MergeSidecarsForm = Type.Object(
  {
    sidecars: Type.Array(Type.String({ format: 'binary' }), {
      minItems: 1,
      maxItems: maxMergedSidecars,
      description:
        'XMP files of at most 4 MB each and 64 MB together, each sent with its file name; repeat the field for each file',
    }),
  },
  { 'x-streamed': true },
)

export const ExportRecord = Type.Object({
  id: Id,
  format: OneOf(exportFormats),
  photo_count: Type.Integer(),
  created_at: Timestamp,
  choice: Nullable(ExportChoice, {
    description: 'The parameters of this export; null for exports of older versions, which did not store them',
  }),
})
export type ExportRecord = Static<typeof ExportRecord>

const SharedNames = Type.Object(
  {
    count: Type.Integer({ description: 'Number of photos' }),
    names: Type.Array(Type.String(), { description: 'At most 5 of their names' }),
  },
  {
    description:
      'Picked photos that have the name of another photo of the event, without the extension: programs cannot tell them apart by name. Photos of the same time, such as a raw file and its JPEG, are one',
  },
)
export type SharedNames = Static<typeof SharedNames>

export const ExportList = Type.Object({ exports: Type.Array(ExportRecord), shared_names: SharedNames })

const ids = (description: string) => Type.Array(Id, { description })

export const ExportChanges = Type.Object({
  export: ExportRecord,
  added: ids('Photos that the earlier export did not contain'),
  changed: ids('Photos whose marks have changed since'),
  removed: ids('Photos that the earlier export contained and a new one would not; deleted photos are omitted'),
})
export type ExportChanges = Static<typeof ExportChanges>

const exportHeaders = [
  'Content-Disposition',
  'X-Export-Id',
  'X-Export-Photos',
  'X-Export-Round',
] satisfies ResponseHeader[]
const Text = Type.Unsafe<unknown>({ type: 'string' })
const zipReplies = fileReplies('application/zip', 'XMP sidecars as a ZIP', exportHeaders)

export const MergedSidecars = fileReplies('application/zip', 'Merged and new XMP sidecars as a ZIP', [
  ...exportHeaders,
  'X-Export-Left-Out',
])

/** Only the ZIP supports ranges; the CSV is generated while it is sent. */
export const ExportedMarks = {
  ...zipReplies,
  200: {
    description: 'A table, a list of file names, or XMP sidecars as a ZIP',
    headers: exportHeaders,
    content: { 'text/csv': { schema: Text }, 'text/plain': { schema: Text }, ...zipReplies[200].content },
  },
}
