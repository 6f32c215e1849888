import { type Static, Type } from 'typebox'
import { CategoryRecord } from '../categories.ts'
import { colorLabels } from '../marks.ts'
import { PhotoRecord, SearchParam } from '../photos.ts'
import { Id, Limit, Nullable, OneOf, OptionalNullable, Page, PageQuery, TextParam, Timestamp } from '../shapes.ts'

export const Slug = Type.String({ minLength: 1, maxLength: 200 })
export const SlugParams = Type.Object({ slug: Slug })
export const PhotoParams = Type.Object({ slug: Slug, photo_id: Id })

export const GalleryInfo = Type.Object(
  {
    event_name: Type.String(),
    event_type: Type.String(),
    event_date: Nullable(Type.String()),
    expires_at: Nullable(Timestamp, { description: 'Null if the gallery never expires' }),
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
  },
  { title: 'GalleryInfo' },
)
export type GalleryInfo = Static<typeof GalleryInfo>

const Secret = Type.String({ minLength: 1, maxLength: 200 })

/**
 * A gallery with a password always requires the password. Without a token, other galleries open only if the settings
 * allow entry by slug.
 */
export const ShareLoginBody = Type.Object({ slug: Slug, token: OptionalNullable(Secret) })
export const VerifyBody = Type.Object({
  slug: Slug,
  password: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Not needed for a gallery without a password if `gallery_allow_slug_only` is on',
    }),
  ),
  share_token: OptionalNullable(Secret),
})

export const EnteredReply = Type.Object({
  token: Type.String(),
  event: Type.Object({ id: Id, slug: Slug, ...GalleryInfo.properties }),
})
export const ShareLoginReply = Type.Union([EnteredReply, Type.Object({ requires_password: Type.Literal(true) })])

export const GalleryPhoto = Type.Object(
  {
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
    allow_original_download: Type.Boolean({
      description:
        'Whether guests can download the original of a RAW or HEIC file with `original=true`. Without it, they get a JPEG, which `mime_type` and `size_bytes` describe',
    }),
    is_liked: Type.Boolean(),
    is_favorited: Type.Boolean(),
  },
  { title: 'GalleryPhoto' },
)
export type GalleryPhoto = Static<typeof GalleryPhoto>

export const feedbackFilters = ['liked', 'favorited', 'rated', 'commented'] as const

/** An empty value means no filter. The values of one parameter are combined with OR, the parameters with AND. */
export const GalleryFilterQuery = Type.Object({
  filter: TextParam(
    200,
    `Comma-separated values of ${feedbackFilters.join(', ')}: photos for which the guest has given any of this feedback. \`all\` is no filter`,
    'liked,favorited',
  ),
  color_label: TextParam(
    200,
    `Comma-separated values of ${colorLabels.join(', ')}: photos with any of these color labels of the guest. \`all\` is no filter`,
    'red',
  ),
  category_id: TextParam(40, 'A category ID, or `individual`, `collage` or `uncategorized`'),
  my_min_rating: Type.Optional(
    Type.String({
      pattern: '^([1-5]|)$',
      'x-pattern': 'must be a whole number from 1 to 5',
      description: 'Only photos with at least this rating by the guest',
      examples: ['4'],
    }),
  ),
  media_type: Type.Optional(
    Type.String({ pattern: '^(image|video|)$', 'x-pattern': 'must be image or video', examples: ['video'] }),
  ),
  search: SearchParam,
})
export type GalleryFilterQuery = Static<typeof GalleryFilterQuery>

const sortNames = ['upload_date', 'capture_date', 'filename', 'size', 'rating', 'manual', 'date', 'name'] as const
/** Each sort key alone, and with a direction suffix as in `default_photo_sort`. */
const gallerySorts = [
  ...sortNames,
  ...sortNames.flatMap((word) => [`${word}_asc`, `${word}_desc`] as const),
] as readonly string[]

export const GallerySortQuery = Type.Object({
  sort: Type.Optional(
    OneOf(gallerySorts, {
      description:
        'The default is the `default_photo_sort` of the event. `date` means `upload_date`, `name` means `filename`, `manual` means the order by hand. ' +
        'Photos without a value come last. `rating` works only if guests see the feedback of others',
    }),
  ),
  order: Type.Optional(
    OneOf(['asc', 'desc'], {
      description: 'The default is asc, or desc for `rating`. Must not contradict a direction in `sort`',
    }),
  ),
})
export type GallerySortQuery = Static<typeof GallerySortQuery>

const groupQuery = {
  group: Type.Optional(
    OneOf(['category'], {
      description:
        'Photos of a category stand together, in the order of `categories`, then photos without a category; ' +
        '`sort` applies within them. Ignored with `category_id`',
    }),
  ),
}

export const GalleryListQuery = Type.Object({
  ...PageQuery.properties,
  ...GalleryFilterQuery.properties,
  ...GallerySortQuery.properties,
  ...groupQuery,
})

export const GalleryOutlineQuery = Type.Object({
  page: Page,
  limit: Limit(10_000, 10_000),
  ...GalleryFilterQuery.properties,
  ...GallerySortQuery.properties,
  ...groupQuery,
})

const pagination = Type.Object({
  page: Type.Integer(),
  limit: Type.Integer(),
  total: Type.Integer({ description: 'Number of photos in the gallery' }),
  filtered: Type.Integer({ description: 'Number of photos that match the filters; `pages` is computed from it' }),
  pages: Type.Integer(),
})

/** A tuple in JSON Schema 2020-12, which OpenAPI 3.1 uses. */
const PhotoSize = Type.Unsafe<[id: number, width: number | null, height: number | null]>({
  type: 'array',
  prefixItems: [Id, Nullable(Type.Integer()), Nullable(Type.Integer())],
  minItems: 3,
  maxItems: 3,
})

const PhotoGroup = Type.Object({
  category_id: Nullable(Id, { description: 'Null for the photos without a category' }),
  name: Nullable(Type.String()),
  count: Type.Integer(),
})

export const GalleryOutline = Type.Object({
  photos: Type.Array(PhotoSize, {
    description: 'The ID, width and height of each photo, in the order of the list',
    examples: [[[17, 6000, 4000]]],
  }),
  groups: Type.Optional(
    Type.Array(PhotoGroup, {
      description: 'With `group`: how many photos of the whole list are in each category, in the order of the list',
    }),
  ),
  pagination,
})

export const GalleryList = Type.Object({
  event: GalleryInfo,
  categories: Type.Array(CategoryRecord),
  photos: Type.Array(GalleryPhoto),
  hidden_until_reveal: Type.Boolean(),
  video_count: Type.Integer({ description: 'How many photos of `pagination.total` are videos' }),
  pagination,
})
