import { type Static, type TSchema, Type } from 'typebox'
import { versionRange } from './gallery/decisions.ts'
import { ColorLabel, colorLabels, markSources } from './marks.ts'
import {
  cursorPage,
  DescribedId,
  fileReplies,
  Id,
  Nullable,
  OneOf,
  OptionalNullable,
  PageQuery,
  pageTotals,
  Strict,
  TextParam,
  Timestamp,
  UpdatedSince,
} from './shapes.ts'

export const photoTypes = ['individual', 'collage'] as const
export type PhotoType = (typeof photoTypes)[number]

/** The size in pixels, after the orientation is applied. */
export const photoSizeFields = {
  width: Nullable(Type.Integer(), { description: 'In pixels, after the orientation is applied' }),
  height: Nullable(Type.Integer(), { description: 'In pixels, after the orientation is applied' }),
}

const photoFields = {
  id: Id,
  filename: Type.String({ description: 'The name of the stored file; replacing the file changes it' }),
  original_filename: Type.String({ description: 'The name that the client gave the current file' }),
  source_filename: Type.String({
    description: 'The name that the client gave the first file; replacing the file does not change it',
  }),
  path: Type.String({ description: 'The slug of the event and `filename`, separated by a slash' }),
  thumbnail_path: Nullable(Type.String()),
  size_bytes: Type.Integer(),
  type: Nullable(OneOf(photoTypes)),
  category_id: Nullable(Id),
  category: Nullable(Type.String(), { description: 'The name of the category' }),
  ...photoSizeFields,
  visibility: OneOf(['visible', 'hidden'], { description: 'Guests do not see hidden photos' }),
  average_rating: Type.Number({
    description: 'The average rating by guests, rounded to two decimals; 0 if there are no ratings',
  }),
  feedback_count: Type.Integer({ description: 'Number of guests who gave feedback' }),
  like_count: Type.Integer(),
  favorite_count: Type.Integer(),
  comment_count: Type.Integer(),
  color_labels: Type.Object(
    Object.fromEntries(colorLabels.map((color) => [color, Type.Optional(Type.Integer())])) as Record<
      (typeof colorLabels)[number],
      ReturnType<typeof Type.Optional<ReturnType<typeof Type.Integer>>>
    >,
    {
      title: 'ColorLabelCounts',
      description: 'Number of guests for each color label; omits labels that no guest has set',
    },
  ),
  dominant_color_label: Nullable(ColorLabel, { description: 'The color label that most guests have set' }),
  my_rating: Nullable(Type.Integer(), {
    description: "The caller's own rating, 1 to 5; with an API token, the rating of its account",
  }),
  my_color_label: Nullable(ColorLabel, {
    description: "The caller's own color label; with an API token, the label of its account",
  }),
  color_label: Nullable(ColorLabel, { description: 'The color label of the source that `mark_source` selects' }),
  rating: Nullable(Type.Integer(), {
    description: 'The rating of the source that `mark_source` selects, in whole stars from 1 to 5',
  }),
  client_marked_at: Nullable(Timestamp, {
    description:
      'When a guest last gave, changed or removed a rating, color label, like or favorite that others see; null if no guest has',
  }),
  my_marked_at: Nullable(Timestamp, {
    description: "When the caller's own rating or color label was last set; null if there is none",
  }),
  media_type: OneOf(['image', 'video']),
  mime_type: Type.String({ description: 'Detected from the content of the file' }),
  duration: Nullable(Type.Number(), { description: 'Length of a video in seconds; null for images' }),
  captured_at: Nullable(Timestamp, {
    description: 'The time on the clock of the camera, written as if it were UTC; null if the file has none',
  }),
  uploaded_at: Timestamp,
  uploaded_by: OneOf(['admin', 'api', 'guest', 'import']),
  auto_categorized: Type.Boolean({ description: 'Whether the service has set the category' }),
  processing_status: OneOf(['ready', 'processing', 'failed']),
  processing_error: Nullable(Type.String()),
  content_hash: Type.String({
    description: 'SHA-256 of the concatenated SHA-256 digests of all blocks of 10,485,760 bytes, in hexadecimal',
  }),
  thumbhash: Nullable(Type.String(), {
    description: 'A tiny placeholder to show while the thumbnail loads: a ThumbHash in base64',
  }),
}

export const PhotoRecord = Type.Object(photoFields, {
  title: 'Photo',
  description: 'A photo with its feedback and marks',
})
export type PhotoRecord = Static<typeof PhotoRecord>

/** The multipart body is streamed, so it is validated by the operation and not by the schema. */
export const UploadPhotoForm = Type.Object(
  {
    photo: Type.String({
      format: 'binary',
      contentMediaType: 'image/*',
      description: 'One image, sent with its file name',
    }),
    category_id: Type.Optional(DescribedId('A category of this event, or a global one')),
    replaces_photo_id: Type.Optional(
      DescribedId('A photo of this event. Its file is replaced; its ID and marks are kept'),
    ),
  },
  { 'x-streamed': true },
)

export const ReplacePhotoForm = Type.Object({ photo: UploadPhotoForm.properties.photo }, { 'x-streamed': true })

export const ReplacedPhoto = Type.Object(
  {
    replaced: Type.Literal(true),
    photo: Type.Object(
      {
        ...photoFields,
        previous_filename: Type.String({ description: 'The value of `filename` before the replacement' }),
      },
      { title: 'PhotoWithPreviousFile' },
    ),
  },
  { title: 'ReplacedPhoto', description: 'The photo with its new file' },
)

export const UndoReplacementQuery = Type.Object({
  filename: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'The `filename` that the photo has; with another one, nothing is undone',
    }),
  ),
  earlier: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'The `filename` of the earlier file; by default the one before the last replacement',
    }),
  ),
})

export const EarlierFilesReply = Type.Object({
  earlier_files: Type.Array(
    Type.Object({
      filename: Type.String(),
      original_filename: Type.String(),
      size_bytes: Type.Integer(),
      replaced_at: Timestamp,
    }),
    { description: 'The latest first. Empty if the photo was not replaced, or no earlier file is kept' },
  ),
})

/** An empty value means no filter. */
export const FilterParam = <T extends TSchema>(schema: T, description: string) =>
  Type.Optional(Type.Union([schema, Type.Literal('')], { description }))
const Colors = (whose: string) =>
  TextParam(200, `Comma-separated color labels ${whose}; \`all\` is no filter`, 'red,green')

/** 0 and an empty value mean no filter. */
export const MinRating = FilterParam(
  Type.Number({ minimum: 0, maximum: 5 }),
  'Only photos with at least this average rating by guests',
)

export const MarkFilterQuery = Type.Object({
  marked_only: Type.Boolean({
    default: false,
    description: 'Only photos with a rating or color label from `mark_source`',
  }),
  mark_source: OneOf(markSources, {
    default: 'either',
    description:
      'The marks used for `marked_only`, `color_label` and `rating`: of guests (`client`), your own (`mine`), or both (`either`)',
  }),
  color_labels: Colors('set by any guest'),
  my_color_labels: Colors('set by your account'),
  min_rating: MinRating,
  my_min_rating: FilterParam(
    Type.Number({ minimum: 1, maximum: 5 }),
    'Only photos with at least this rating by your account',
  ),
  logic: OneOf(['AND', 'OR'], { default: 'AND', description: 'Whether photos must match all filters or any of them' }),
})
export type MarkFilterQuery = Static<typeof MarkFilterQuery>

export const SearchParam = TextParam(200, 'Part of `filename` or `original_filename`; ignores case, has no wildcards')

export const ListPhotosQuery = Type.Object({
  ...PageQuery.properties,
  ...MarkFilterQuery.properties,
  search: SearchParam,
  updated_since: UpdatedSince(
    'Only photos that were added or replaced, or whose category, visibility or state has changed, at or after this time',
  ),
  after: TextParam(4_000, 'The `next` value of a page: returns the photos after it. Cannot be combined with `page`'),
})
export type ListPhotosQuery = Static<typeof ListPhotosQuery>

/** The operation validates the ids, because invalid ids have their own problem code INVALID_PHOTO_IDS. */
export const PhotoIdsParam = TextParam(
  16_384,
  'Comma-separated photo IDs, at most 500; if omitted, all photos that match the filters',
  '1,2,3',
)

export const DownloadPhotosQuery = Type.Object({ ...MarkFilterQuery.properties, ids: PhotoIdsParam })

export const PhotosZip = fileReplies('application/zip', 'The ZIP, with its length and an ETag for resuming', [
  'Content-Disposition',
  'X-Zip-Photos',
  'X-Zip-Missing',
])

export const DownloadPhotoQuery = Type.Object({
  resolution: Type.Optional(
    Type.String({
      maxLength: 40,
      default: 'original',
      description:
        '`original`, or a box such as 1920x1080 (1 to 16384 each). The photo is scaled down to fit into the box, never enlarged',
      examples: ['original', '1920x1080'],
    }),
  ),
})

export const PreviewPhotoQuery = Type.Object({
  version: Type.Optional(
    Type.Integer({ ...versionRange, description: 'An earlier version, as a preview; by default the current one' }),
  ),
  w: Type.Optional(
    Type.Unknown({
      description: 'Width: 640, 1280, 1920 or 2560, limited to the width of the original. Any other value means 1280',
      examples: [1920],
    }),
  ),
})

export const PhotoList = Type.Object(
  {
    photos: Type.Array(PhotoRecord),
    pagination: Type.Object(
      {
        ...cursorPage,
        limit: Type.Integer(),
        ...pageTotals,
        filtered: Type.Integer({ description: 'Number of photos that match the filters; `pages` is computed from it' }),
      },
      { title: 'PhotoPagination' },
    ),
  },
  { title: 'PhotoList', description: 'One page of the list' },
)

/** The operation ignores an invalid `visibility` of any JSON type, so the schema does not restrict it. */
export const ChangePhotoBody = Strict({
  visibility: Type.Optional(Type.Unknown({ description: '`visible` or `hidden`; any other value is ignored' })),
  awaits_review: Type.Optional(
    Type.Boolean({ description: 'With `visibility: "hidden"`: uploads of guests wait for a review again' }),
  ),
  category_id: OptionalNullable(Type.Union([Id, OneOf(photoTypes)])),
})
export type ChangePhotoBody = Static<typeof ChangePhotoBody>
