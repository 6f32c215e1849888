import { type Static, Type } from 'typebox'
import { Id, Limit, Nullable, OneOf, Page, Timestamp } from './shapes.ts'

export const colorLabels = ['red', 'yellow', 'green', 'blue', 'purple'] as const
export const photoTypes = ['individual', 'collage'] as const
export type PhotoType = (typeof photoTypes)[number]

const photoFields = {
  id: Id,
  filename: Type.String(),
  original_filename: Type.String(),
  source_filename: Type.String(),
  path: Type.String(),
  thumbnail_path: Nullable(Type.String()),
  size_bytes: Type.Integer(),
  type: Nullable(OneOf(photoTypes)),
  category_id: Nullable(Id),
  category: Nullable(Type.String({ description: 'Name of the category' })),
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
  visibility: OneOf(['visible', 'hidden']),
  average_rating: Type.Number(),
  feedback_count: Type.Integer(),
  like_count: Type.Integer(),
  favorite_count: Type.Integer(),
  comment_count: Type.Integer(),
  color_labels: Type.Object(
    Object.fromEntries(colorLabels.map((color) => [color, Type.Optional(Type.Integer())])) as Record<
      (typeof colorLabels)[number],
      ReturnType<typeof Type.Optional<ReturnType<typeof Type.Integer>>>
    >,
  ),
  dominant_color_label: Nullable(OneOf(colorLabels)),
  my_rating: Nullable(Type.Integer()),
  my_color_label: Nullable(OneOf(colorLabels)),
  color_label: Nullable(OneOf(colorLabels)),
  rating: Nullable(Type.Integer()),
  media_type: OneOf(['image', 'video']),
  mime_type: Type.String(),
  duration: Nullable(Type.Number({ description: 'Seconds' })),
  captured_at: Nullable(Timestamp),
  uploaded_at: Timestamp,
  uploaded_by: OneOf(['admin', 'api', 'guest', 'import']),
  auto_categorized: Type.Boolean(),
  processing_status: OneOf(['ready', 'processing', 'failed']),
  processing_error: Nullable(Type.String()),
  content_hash: Type.String({ description: 'SHA-256 over the SHA-256 digests of the 10 MiB blocks' }),
  thumbhash: Nullable(Type.String({ description: 'ThumbHash, base64' })),
}

export const PhotoRecord = Type.Object(photoFields)
export type PhotoRecord = Static<typeof PhotoRecord>

/** Nobody has marked the photo. */
export const unmarked = {
  average_rating: 0,
  feedback_count: 0,
  like_count: 0,
  favorite_count: 0,
  comment_count: 0,
  color_labels: {},
  dominant_color_label: null,
  my_rating: null,
  my_color_label: null,
  color_label: null,
  rating: null,
} satisfies Partial<PhotoRecord>

/** The multipart body of an upload. It is streamed, so the deed judges it and not the schema. */
export const UploadPhotoForm = Type.Object(
  {
    photo: Type.String({ format: 'binary', description: 'One image' }),
    category_id: Type.Optional(Id),
    replaces_photo_id: Type.Optional(Id),
  },
  { 'x-streamed': true },
)

export const ReplacedPhoto = Type.Object({
  replaced: Type.Literal(true),
  photo: Type.Object({ ...photoFields, previous_filename: Type.String() }),
})

export const ListPhotosQuery = Type.Object({ page: Page, limit: Limit(50, 100) })

export const PhotoList = Type.Object({
  photos: Type.Array(PhotoRecord),
  pagination: Type.Object({
    page: Type.Integer(),
    limit: Type.Integer(),
    total: Type.Integer(),
    filtered: Type.Integer(),
    pages: Type.Integer(),
  }),
})

/**
 * A `visibility` that is neither of the two words is ignored, of whatever JSON type (interface, "Photo visibility"),
 * so it is judged by the deed and not here.
 */
export const ChangePhotoBody = Type.Object(
  {
    visibility: Type.Optional(Type.Unknown()),
    category_id: Type.Optional(Nullable(Type.Union([Id, OneOf(photoTypes)]))),
  },
  { additionalProperties: false },
)
export type ChangePhotoBody = Static<typeof ChangePhotoBody>
