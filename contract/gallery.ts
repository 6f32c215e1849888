import { type Static, Type } from 'typebox'
import { CategoryRecord } from './categories.ts'
import { PhotoRecord } from './photos.ts'
import { Id, Limit, Nullable, Page, Timestamp } from './shapes.ts'

export const Slug = Type.String({ minLength: 1, maxLength: 200 })
export const SlugParams = Type.Object({ slug: Slug })
export const PhotoParams = Type.Object({ slug: Slug, photo_id: Id })

export const GalleryInfo = Type.Object({
  event_name: Type.String(),
  event_type: Type.String(),
  event_date: Nullable(Type.String()),
  expires_at: Timestamp,
  is_active: Type.Boolean(),
  is_expired: Type.Boolean(),
  requires_password: Type.Boolean(),
  theme_preset: Type.String(),
  color_theme: Type.String(),
  header_style: Type.String(),
  allow_downloads: Type.Boolean(),
  allow_user_uploads: Type.Boolean(),
  default_photo_sort: Type.String(),
  feedback_enabled: Type.Boolean(),
  hidden_until_reveal: Type.Boolean(),
  reveal_at: Nullable(Timestamp),
})
export type GalleryInfo = Static<typeof GalleryInfo>

const Secret = Type.String({ minLength: 1, maxLength: 200 })

export const ShareLoginBody = Type.Object({ slug: Slug, token: Secret })
export const VerifyBody = Type.Object({
  slug: Slug,
  password: Type.String({ minLength: 1, maxLength: 200 }),
  share_token: Type.Optional(Nullable(Secret)),
})

const Entered = Type.Object({
  token: Type.String(),
  event: Type.Object({ id: Id, slug: Slug, ...GalleryInfo.properties }),
})
export const EnteredReply = Entered
export const ShareLoginReply = Type.Union([Entered, Type.Object({ requires_password: Type.Literal(true) })])

export const GalleryPhoto = Type.Object({
  ...Type.Pick(PhotoRecord, [
    'id',
    'filename',
    'original_filename',
    'type',
    'category_id',
    'size_bytes',
    'width',
    'height',
    'thumbhash',
    'media_type',
    'mime_type',
    'duration',
    'captured_at',
    'uploaded_at',
    'average_rating',
    'feedback_count',
    'like_count',
    'favorite_count',
    'comment_count',
    'color_labels',
    'dominant_color_label',
    'my_rating',
    'my_color_label',
  ]).properties,
  url: Type.String(),
  thumbnail_url: Type.String(),
  category_name: Nullable(Type.String()),
  allow_download: Type.Boolean(),
  is_liked: Type.Boolean(),
  is_favorited: Type.Boolean(),
})
export type GalleryPhoto = Static<typeof GalleryPhoto>

export const GalleryListQuery = Type.Object({ page: Page, limit: Limit(50, 100) })

export const GalleryList = Type.Object({
  event: GalleryInfo,
  categories: Type.Array(CategoryRecord),
  photos: Type.Array(GalleryPhoto),
  hidden_until_reveal: Type.Boolean(),
  pagination: Type.Object({
    page: Type.Integer(),
    limit: Type.Integer(),
    total: Type.Integer(),
    pages: Type.Integer(),
  }),
})
