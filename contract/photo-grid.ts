import { type Static, Type } from 'typebox'
import { reviewStates } from './gallery/decisions.ts'
import { colorLabels } from './marks.ts'
import { FilterParam, MinRating, PhotoIdsParam, PhotoRecord, photoTypes, SearchParam } from './photos.ts'
import { Id, Nullable, OneOf, Page, pageTotals, TextParam, Whole } from './shapes.ts'

const optionalOneOf = <const T extends readonly string[]>(words: T, description: string) =>
  FilterParam(OneOf(words), description)

const gridFilters = {
  category_id: TextParam(40, 'A category ID, or `individual`, `collage` or `uncategorized`; `all` is no filter'),
  type: TextParam(40, `For older clients: ${photoTypes.join(' or ')}; \`all\` is no filter`),
  search: SearchParam,
  has_likes: FilterParam(Type.Boolean(), '`true`: only photos that a guest has liked'),
  has_favorites: FilterParam(Type.Boolean(), '`true`: only photos that a guest has marked as a favorite'),
  has_comments: FilterParam(Type.Boolean(), '`true`: only photos with a visible comment'),
  min_rating: MinRating,
  color_label: TextParam(
    200,
    `Comma-separated color labels set by any guest: ${colorLabels.join(', ')}; \`all\` is no filter`,
    'green',
  ),
  own_min_rating: FilterParam(
    Type.Integer({ minimum: 0, maximum: 5 }),
    'Only photos with at least this own rating; 0 is no filter',
  ),
  own_color_label: TextParam(200, 'Comma-separated own color labels; `all` is no filter', 'red,green'),
  logic: OneOf(['AND', 'OR'], {
    default: 'AND',
    description:
      'Whether photos must match all filters for likes, favorites, comments, ratings and color labels, or any of them. All other filters must always match',
  }),
  visibility: optionalOneOf(['visible', 'hidden'], 'Whether guests can see the photo'),
  media_type: optionalOneOf(['image', 'video'], 'Only images or only videos'),
  uploaded_by: optionalOneOf(['admin', 'api', 'guest', 'import'], 'The origin of the photo'),
  review: optionalOneOf(['waiting'], 'Only guest uploads that wait for review'),
  decision: optionalOneOf(
    reviewStates,
    'The state of the current version: what guests have decided, or whether it waits for them',
  ),
  processing_status: optionalOneOf(
    ['ready', 'processing', 'failed'],
    'The processing status of videos; images are always ready',
  ),
}

const gridOrder = {
  sort: OneOf(['date', 'capture_date', 'name', 'size', 'rating', 'manual'], {
    default: 'date',
    description:
      '`date`: upload time; `capture_date`: capture time, photos without one last; `name`: `source_filename` with numbers in numeric order; `rating`: average rating by guests; `manual`: the order by hand, photos without a place last',
  }),
  order: Type.Optional(OneOf(['asc', 'desc'], { description: 'The default is asc, or desc for `rating`' })),
}

export const GridQuery = Type.Object({
  page: Page,
  limit: Type.Optional(Whole(1, 1_000, 'Maximum number per page; if omitted, all photos are sent in one response')),
  after: TextParam(
    4_000,
    'The `next` value of a page with the same order: returns the photos after it. Cannot be combined with `page`',
  ),
  ...gridFilters,
  ...gridOrder,
})
export type GridQuery = Static<typeof GridQuery>

export const GridPhoto = Type.Object(
  {
    ...PhotoRecord.properties,
    awaits_review: Type.Boolean({ description: 'An upload of a guest that no operator has shown or hidden yet' }),
    guest_name: Nullable(Type.String(), {
      description: 'The name of the guest who uploaded it; null for other uploads and for guests without a name',
    }),
  },
  { title: 'GridPhoto', description: 'The photo with its marks, as operators see it' },
)
export type GridPhoto = Static<typeof GridPhoto>

export const GridList = Type.Object(
  {
    photos: Type.Array(GridPhoto),
    pagination: Type.Object(
      {
        page: Nullable(Type.Integer(), { description: 'Null for requests with `after`' }),
        limit: Nullable(Type.Integer(), { description: 'Null for requests without `limit`' }),
        total: pageTotals.total,
        filtered: Type.Integer({ description: 'Number of photos that match the filters; `pages` is computed from it' }),
        pages: pageTotals.pages,
        next: Nullable(Type.String(), { description: 'The value for `after`; null on the last page' }),
      },
      { title: 'GridPagination' },
    ),
  },
  { title: 'PhotoGrid', description: 'One page, or all matching photos' },
)
export type GridPagination = Static<typeof GridList>['pagination']

/** The query of the request for ids alone, which bulk operations use. */
export const GridIdsQuery = Type.Object({ ...gridFilters, ...gridOrder })
export type GridIdsQuery = Static<typeof GridIdsQuery>

export const GridIds = Type.Object({
  ids: Type.Array(Id, { description: 'The IDs of all matching photos, in the order of the list' }),
})

export const GridArchiveQuery = Type.Object({ ...gridFilters, ids: PhotoIdsParam })
