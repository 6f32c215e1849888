import { type Static, Type } from 'typebox'
import { colorLabels } from './marks.ts'
import { MinRating, orEmpty, PhotoRecord, photoTypes } from './photos.ts'
import { fileReplies, Id, Nullable, OneOf, Page, pageTotals } from './shapes.ts'

const maxPerPage = 1_000

const optionalFilter = (description: string) => Type.Optional(orEmpty(Type.Boolean(), description))

const optionalOneOf = <const T extends readonly string[]>(words: T, description: string) =>
  Type.Optional(orEmpty(OneOf(words), description))

const gridFilters = {
  category_id: Type.Optional(
    Type.String({ maxLength: 40, description: 'An id, or individual, collage, uncategorized; `all` is no filter' }),
  ),
  type: Type.Optional(
    Type.String({
      maxLength: 40,
      description: `Kept for older clients: ${photoTypes.join(' or ')}; \`all\` is no filter`,
    }),
  ),
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Part of the filename or original_filename; case does not count, no character stands for others',
    }),
  ),
  has_likes: optionalFilter('`true`: a guest likes it'),
  has_favorites: optionalFilter('`true`: a guest has it among the favourites'),
  has_comments: optionalFilter('`true`: a guest has written a comment that is visible'),
  min_rating: MinRating,
  color_label: Type.Optional(
    Type.String({
      maxLength: 200,
      description: `A colour that a guest set: ${colorLabels.join(', ')}; any of several with commas in between, or all`,
      examples: ['green'],
    }),
  ),
  own_min_rating: Type.Optional(
    orEmpty(Type.Integer({ minimum: 0, maximum: 5 }), 'At least these stars of your own; 0 is no filter'),
  ),
  own_color_label: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Your own colour: any of several with commas in between, or all',
      examples: ['red,green'],
    }),
  ),
  logic: OneOf(['AND', 'OR'], {
    default: 'AND',
    description: 'How likes, favourites, comments, stars and colours are joined; all else must hold in any case',
  }),
  visibility: optionalOneOf(['visible', 'hidden'], 'Whether guests see it'),
  media_type: optionalOneOf(['image', 'video'], 'What it is'),
  uploaded_by: optionalOneOf(['admin', 'api', 'guest', 'import'], 'How it came in'),
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
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxPerPage,
      description: 'The most of one page; without it all photos are sent, in one answer',
    }),
  ),
  after: Type.Optional(
    Type.String({
      maxLength: 4_000,
      description: 'The `next` of a page of the same order: what stands behind it; not together with `page`',
    }),
  ),
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

/** Returns only ids, which bulk operations take. */
export const GridIdsQuery = Type.Object({ ...gridFilters, ...gridOrder })
export type GridIdsQuery = Static<typeof GridIdsQuery>

export const GridIds = Type.Object({
  ids: Type.Array(Id, { description: 'Of all photos that pass, in the order of the list' }),
})

/** The operation validates the ids, because they have their own error code INVALID_PHOTO_IDS. */
export const GridArchiveQuery = Type.Object({
  ...gridFilters,
  ids: Type.Optional(
    Type.String({
      maxLength: 16_384,
      description: 'Comma-separated ids of photos, at most 500; without it all photos that pass the filters',
      examples: ['1,2,3'],
    }),
  ),
})

export const GridZip = fileReplies('application/zip', 'The ZIP: of known length, resumable by its ETag', [
  'Content-Disposition',
  'X-Zip-Photos',
  'X-Zip-Missing',
])
