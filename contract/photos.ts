import { type Static, type TSchema, Type } from 'typebox'
import { ColorLabel, colorLabels, markSources } from './marks.ts'
import {
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
} from './shapes.ts'

export const photoTypes = ['individual', 'collage'] as const
export type PhotoType = (typeof photoTypes)[number]

const photoFields = {
  id: Id,
  filename: Type.String({ description: 'Of the stored file; another one after a replace' }),
  original_filename: Type.String({ description: 'As the client named the file' }),
  source_filename: Type.String({ description: 'As the client named the first file; a replace keeps it' }),
  path: Type.String({ description: 'Slug of the event and filename' }),
  thumbnail_path: Nullable(Type.String()),
  size_bytes: Type.Integer(),
  type: Nullable(OneOf(photoTypes)),
  category_id: Nullable(Id),
  category: Nullable(Type.String(), { description: 'Name of the category' }),
  width: Nullable(Type.Integer(), { description: 'Pixels, seen upright' }),
  height: Nullable(Type.Integer(), { description: 'Pixels, seen upright' }),
  visibility: OneOf(['visible', 'hidden'], { description: 'Guests do not see hidden photos' }),
  average_rating: Type.Number({ description: 'Of the stars of guests, to two decimals; 0 when there are none' }),
  feedback_count: Type.Integer({ description: 'How many guests gave feedback' }),
  like_count: Type.Integer(),
  favorite_count: Type.Integer(),
  comment_count: Type.Integer(),
  color_labels: Type.Object(
    Object.fromEntries(colorLabels.map((color) => [color, Type.Optional(Type.Integer())])) as Record<
      (typeof colorLabels)[number],
      ReturnType<typeof Type.Optional<ReturnType<typeof Type.Integer>>>
    >,
    { title: 'ColorLabelCounts', description: 'How many guests set each colour; colours that nobody set are left out' },
  ),
  dominant_color_label: Nullable(ColorLabel, { description: 'The colour that most guests set' }),
  my_rating: Nullable(Type.Integer(), { description: 'Stars of the owner of the token, 1 to 5' }),
  my_color_label: Nullable(ColorLabel, { description: 'Colour of the owner of the token' }),
  color_label: Nullable(ColorLabel, { description: 'One colour, merged as mark_source says' }),
  rating: Nullable(Type.Integer(), { description: 'Stars, 1 to 5, merged as mark_source says' }),
  media_type: OneOf(['image', 'video']),
  mime_type: Type.String({ description: 'By the content of the file' }),
  duration: Nullable(Type.Number(), { description: 'Seconds, of a video' }),
  captured_at: Nullable(Timestamp),
  uploaded_at: Timestamp,
  uploaded_by: OneOf(['admin', 'api', 'guest', 'import']),
  auto_categorized: Type.Boolean({ description: 'The service chose the category' }),
  processing_status: OneOf(['ready', 'processing', 'failed']),
  processing_error: Nullable(Type.String()),
  content_hash: Type.String({
    description: 'SHA-256 over the SHA-256 digests of the blocks of 10,485,760 bytes, in hex',
  }),
  thumbhash: Nullable(Type.String(), {
    description: 'A few bytes to show until the thumbnail is there: ThumbHash, base64',
  }),
}

export const PhotoRecord = Type.Object(photoFields, { title: 'Photo', description: 'The photo with its marks' })
export type PhotoRecord = Static<typeof PhotoRecord>

/** The multipart body is streamed, so it is validated by the operation and not by the schema. */
export const UploadPhotoForm = Type.Object(
  {
    photo: Type.String({ format: 'binary', contentMediaType: 'image/*', description: 'One image, with its file name' }),
    category_id: Type.Optional(DescribedId('Of this event, or global')),
    replaces_photo_id: Type.Optional(
      DescribedId('A photo of this event, which gets this file and keeps its id and its marks'),
    ),
  },
  { 'x-streamed': true },
)

export const ReplacePhotoForm = Type.Object({ photo: UploadPhotoForm.properties.photo }, { 'x-streamed': true })

export const ReplacedPhoto = Type.Object(
  {
    replaced: Type.Literal(true),
    photo: Type.Object(
      { ...photoFields, previous_filename: Type.String({ description: 'The filename before' }) },
      { title: 'PhotoWithPreviousFile' },
    ),
  },
  { title: 'ReplacedPhoto', description: 'The photo has its new file' },
)

/** An empty value means no filter. */
export const FilterParam = <T extends TSchema>(schema: T, description: string) =>
  Type.Optional(Type.Union([schema, Type.Literal('')], { description }))
const Colors = (whose: string) => TextParam(200, `Colours ${whose}, with commas in between; or all`, 'red,green')

/** 0 and an empty value mean no filter. */
export const MinRating = FilterParam(Type.Number({ minimum: 0, maximum: 5 }), 'At least this average of guests')

export const MarkFilterQuery = Type.Object({
  marked_only: Type.Boolean({ default: false, description: 'Only photos with stars or a colour from mark_source' }),
  mark_source: OneOf(markSources, {
    default: 'either',
    description: 'Whose marks `marked_only`, `color_label` and `rating` mean',
  }),
  color_labels: Colors('that a guest set'),
  my_color_labels: Colors('of the owner of the token'),
  min_rating: MinRating,
  my_min_rating: FilterParam(Type.Number({ minimum: 1, maximum: 5 }), 'At least these stars of the owner of the token'),
  logic: OneOf(['AND', 'OR'], { default: 'AND', description: 'How the filters are joined' }),
})
export type MarkFilterQuery = Static<typeof MarkFilterQuery>

export const ListPhotosQuery = Type.Object({ ...PageQuery.properties, ...MarkFilterQuery.properties })

export const SearchParam = TextParam(
  200,
  'Part of the filename or original_filename; case does not count, no character stands for others',
)

/** The operation validates the ids, because invalid ids have their own problem code INVALID_PHOTO_IDS. */
export const PhotoIdsParam = TextParam(
  16_384,
  'Comma-separated ids of photos, at most 500; without it all photos that pass the filters',
  '1,2,3',
)

export const DownloadPhotosQuery = Type.Object({ ...MarkFilterQuery.properties, ids: PhotoIdsParam })

export const PhotosZip = fileReplies('application/zip', 'The ZIP: of known length, resumable by its ETag', [
  'Content-Disposition',
  'X-Zip-Photos',
  'X-Zip-Missing',
])

export const DownloadPhotoQuery = Type.Object({
  resolution: Type.Optional(
    Type.String({
      maxLength: 40,
      default: 'original',
      description: '`original`, or a box such as 1920x1080 (1 to 16384 each): the photo fits inside, never enlarged',
      examples: ['original', '1920x1080'],
    }),
  ),
})

export const PreviewPhotoQuery = Type.Object({
  w: Type.Optional(
    Type.Unknown({
      description: 'Width: 640, 1280, 1920 or 2560, never above that of the original; any other value is 1280',
      examples: [1920],
    }),
  ),
})

export const PhotoList = Type.Object(
  {
    photos: Type.Array(PhotoRecord),
    pagination: Type.Object(
      {
        page: Type.Integer(),
        limit: Type.Integer(),
        ...pageTotals,
        filtered: Type.Integer({ description: 'How many match the filters; `pages` counts these' }),
      },
      { title: 'PhotoPagination' },
    ),
  },
  { title: 'PhotoList', description: 'One page of the list' },
)

/** The operation ignores an invalid `visibility` of any JSON type, so the schema does not restrict it. */
export const ChangePhotoBody = Strict({
  visibility: Type.Optional(Type.Unknown()),
  category_id: OptionalNullable(Type.Union([Id, OneOf(photoTypes)])),
})
export type ChangePhotoBody = Static<typeof ChangePhotoBody>
