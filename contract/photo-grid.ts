import { type Static, Type } from 'typebox'
import { colorLabels } from './marks.ts'
import { FilterParam, MinRating, PhotoIdsParam, PhotoRecord, photoTypes, SearchParam } from './photos.ts'
import { Id, Nullable, OneOf, Page, pageTotals, TextParam, Whole } from './shapes.ts'

const optionalOneOf = <const T extends readonly string[]>(words: T, description: string) =>
  FilterParam(OneOf(words), description)

const gridFilters = {
  category_id: TextParam(40, 'An id, or individual, collage, uncategorized; `all` is no filter'),
  type: TextParam(40, `Kept for older clients: ${photoTypes.join(' or ')}; \`all\` is no filter`),
  search: SearchParam,
  has_likes: FilterParam(Type.Boolean(), '`true`: a guest likes it'),
  has_favorites: FilterParam(Type.Boolean(), '`true`: a guest has it among the favourites'),
  has_comments: FilterParam(Type.Boolean(), '`true`: a guest has written a comment that is visible'),
  min_rating: MinRating,
  color_label: TextParam(
    200,
    `A colour that a guest set: ${colorLabels.join(', ')}; any of several with commas in between, or all`,
    'green',
  ),
  own_min_rating: FilterParam(
    Type.Integer({ minimum: 0, maximum: 5 }),
    'At least these stars of your own; 0 is no filter',
  ),
  own_color_label: TextParam(200, 'Your own colour: any of several with commas in between, or all', 'red,green'),
  logic: OneOf(['AND', 'OR'], {
    default: 'AND',
    description: 'How likes, favourites, comments, stars and colours are joined; all else must hold in any case',
  }),
  visibility: optionalOneOf(['visible', 'hidden'], 'Whether guests see it'),
  media_type: optionalOneOf(['image', 'video'], 'What it is'),
  uploaded_by: optionalOneOf(['admin', 'api', 'guest', 'import'], 'How it came in'),
  review: optionalOneOf(['waiting'], 'Only uploads of guests that nobody has shown or hidden yet'),
  processing_status: optionalOneOf(['ready', 'processing', 'failed'], 'How far a video has come; photos are ready'),
}

const gridOrder = {
  sort: OneOf(['date', 'capture_date', 'name', 'size', 'rating'], {
    default: 'date',
    description:
      '`date`: when it was uploaded; `capture_date`: when it was taken, what has no time at the end; `name`: source_filename, numbers as numbers; `rating`: average of guests',
  }),
  order: Type.Optional(OneOf(['asc', 'desc'], { description: 'By default asc, with rating desc' })),
}

export const GridQuery = Type.Object({
  page: Page,
  limit: Type.Optional(Whole(1, 1_000, 'The most of one page; without it all photos are sent, in one answer')),
  after: TextParam(4_000, 'The `next` of a page of the same order: what stands behind it; not together with `page`'),
  ...gridFilters,
  ...gridOrder,
})
export type GridQuery = Static<typeof GridQuery>

export const GridList = Type.Object(
  {
    photos: Type.Array(PhotoRecord),
    pagination: Type.Object(
      {
        page: Nullable(Type.Integer(), { description: 'Null where `after` was asked' }),
        limit: Nullable(Type.Integer(), { description: 'Null where all photos were asked' }),
        total: pageTotals.total,
        filtered: Type.Integer({ description: 'How many match the filters; `pages` counts these' }),
        pages: pageTotals.pages,
        next: Nullable(Type.String(), { description: 'For `after`; null at the end' }),
      },
      { title: 'GridPagination' },
    ),
  },
  { title: 'PhotoGrid', description: 'One page, or all photos that pass' },
)
export type GridPagination = Static<typeof GridList>['pagination']

/** The query of the request for ids alone, which bulk operations use. */
export const GridIdsQuery = Type.Object({ ...gridFilters, ...gridOrder })
export type GridIdsQuery = Static<typeof GridIdsQuery>

export const GridIds = Type.Object({
  ids: Type.Array(Id, { description: 'Of all photos that pass, in the order of the list' }),
})

export const GridArchiveQuery = Type.Object({ ...gridFilters, ids: PhotoIdsParam })
