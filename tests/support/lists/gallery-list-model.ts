import type { modelColors } from './photo-list-model.ts'

type Color = (typeof modelColors)[number]

export type GuestFeedback = {
  rating: number | null
  color: Color | null
  isLiked: boolean
  isFavorite: boolean
  comments: number
}
export const noFeedback: GuestFeedback = { rating: null, color: null, isLiked: false, isFavorite: false, comments: 0 }

export type GalleryModelPhoto = {
  id: number
  filename: string
  name: string
  sourceName: string
  uploadedAt: number
  capturedAt: number | null
  sizeBytes: number
  categoryId: number | null
  type: 'individual' | 'collage' | null
  mediaType: 'image' | 'video'
  visibility: 'visible' | 'hidden'
  /** By the index of the guest. */
  guestFeedback: Map<number, GuestFeedback>
}

export type GalleryModelQuery = Partial<
  Record<
    | 'page'
    | 'limit'
    | 'filter'
    | 'color_label'
    | 'category_id'
    | 'my_min_rating'
    | 'media_type'
    | 'search'
    | 'sort'
    | 'order'
    | 'group',
    string | undefined
  >
>

/** `guest` is null for an operator who views the gallery. */
type Viewer = { guest: number | null; defaultSort: string; areCommentsApproved: boolean }

/**
 * A second, simple implementation of a gallery's photo list, to compare with the service. It imports no code of the
 * service.
 */
export function modelGalleryList(photos: readonly GalleryModelPhoto[], viewer: Viewer, query: GalleryModelQuery) {
  const page = Number(query.page ?? 1)
  const limit = Number(query.limit ?? 50)
  const seen = photos.filter(({ visibility }) => viewer.guest === null || visibility === 'visible')
  const sorted = seen.filter((photo) => matchesQuery(photo, viewer, query)).sort(createComparator(query, viewer))
  // In these galleries, the order of the categories is that of their ids. The sort is stable.
  const categoryOf = ({ categoryId }: GalleryModelPhoto) => categoryId ?? Number.MAX_SAFE_INTEGER
  const matching = query.group ? sorted.toSorted((a, b) => categoryOf(a) - categoryOf(b)) : sorted
  return {
    ids: matching.slice((page - 1) * limit, page * limit).map(({ id }) => id),
    pagination: {
      page,
      limit,
      total: seen.length,
      filtered: matching.length,
      pages: Math.ceil(matching.length / limit),
    },
  }
}

function matchesQuery(
  photo: GalleryModelPhoto,
  { guest, areCommentsApproved }: Viewer,
  query: GalleryModelQuery,
): boolean {
  const own = guest === null ? [...photo.guestFeedback.values()] : [photo.guestFeedback.get(guest) ?? noFeedback]
  const kinds = parseList(query.filter)
  const hasFeedback = own.some(
    ({ rating, isLiked, isFavorite, comments }) =>
      (kinds.includes('liked') && isLiked) ||
      (kinds.includes('favorited') && isFavorite) ||
      (kinds.includes('rated') && rating !== null) ||
      (kinds.includes('commented') && comments > 0 && (guest !== null || areCommentsApproved)),
  )
  if (kinds.length > 0 && !hasFeedback) return false
  const colors = parseList(query.color_label)
  if (colors.length > 0 && !own.some(({ color }) => color !== null && colors.includes(color))) return false

  const stars = Number(query.my_min_rating ?? 0)
  if (stars > 0) {
    const guestFeedback =
      guest === null ? (averageHundredths(photo) ?? 0) / 100 : (photo.guestFeedback.get(guest)?.rating ?? 0)
    if (guestFeedback < stars) return false
  }
  if (query.media_type && photo.mediaType !== query.media_type) return false

  const category = query.category_id ?? ''
  const { categoryId, type } = photo
  if (category === 'uncategorized' && (categoryId !== null || type !== null)) return false
  if (['individual', 'collage'].includes(category) && (categoryId !== null || type !== category)) return false
  if (/^\d+$/.test(category) && categoryId !== Number(category)) return false

  const text = foldCase(query.search ?? '').trim()
  return [photo.filename, photo.name].some((name) => foldCase(name).includes(text))
}

export const parseList = (text = ''): string[] =>
  text.includes('all') ? [] : text.split(',').flatMap((word) => (word.trim() === '' ? [] : [word.trim()]))

export const foldCase = (text: string): string => text.normalize('NFC').toLowerCase().replaceAll('ß', 'ss')

type Compare = (a: GalleryModelPhoto, b: GalleryModelPhoto) => number

function createComparator(query: GalleryModelQuery, { defaultSort }: Viewer): Compare {
  const words = (query.sort ?? defaultSort).split('_')
  const namedDirection = ['asc', 'desc'].find((word) => word === words.at(-1))
  const sort = (namedDirection ? words.slice(0, -1) : words).join('_')
  const direction = (query.order ?? namedDirection ?? (sort === 'rating' ? 'desc' : 'asc')) === 'asc' ? 1 : -1
  const valuesBy: Record<string, (photo: GalleryModelPhoto) => number | string | null> = {
    upload_date: ({ uploadedAt }) => uploadedAt,
    date: ({ uploadedAt }) => uploadedAt,
    capture_date: ({ capturedAt }) => capturedAt,
    size: ({ sizeBytes }) => sizeBytes,
    filename: ({ sourceName }) => sourceName,
    name: ({ sourceName }) => sourceName,
    rating: averageHundredths,
    // No photo of these lists has a place by hand.
    manual: () => null,
  }
  return (a, b) => {
    const [one, other] = [valuesBy[sort]?.(a) ?? null, valuesBy[sort]?.(b) ?? null]
    const tiesBy: Record<string, number> = {
      rating: a.uploadedAt - b.uploadedAt,
      manual: a.uploadedAt - b.uploadedAt,
      capture_date: compareNames(a.sourceName, b.sourceName),
    }
    const ties = tiesBy[sort] || a.id - b.id
    if (one === null || other === null) return one === other ? direction * ties : one === null ? 1 : -1
    return direction * (compareValues(one, other) || ties)
  }
}

const compareValues = (a: number | string, b: number | string): number =>
  typeof a === 'string' ? compareNames(a, String(b)) : a - Number(b)

/** Returns the average rating in hundredths, or null without ratings. */
export function averageHundredths({ guestFeedback }: GalleryModelPhoto): number | null {
  const ratings = [...guestFeedback.values()].flatMap(({ rating }) => rating ?? [])
  if (ratings.length === 0) return null
  return Math.floor((100 * ratings.reduce((sum, rating) => sum + rating, 0)) / ratings.length + 0.5)
}

/**
 * Compares names by character, without regard to case, but sequences of digits as numbers. A name sorts before a longer
 * name that begins with it.
 */
export function compareNames(a: string, b: string): number {
  const [one, other] = [splitName(a), splitName(b)]
  for (let index = 0; index < Math.max(one.length, other.length); index++) {
    const [x, y] = [one[index], other[index]]
    if (x === undefined || y === undefined) return x === undefined ? -1 : 1
    const areNumbers = /^\d/.test(x) && /^\d/.test(y)
    const difference = areNumbers ? Number(x) - Number(y) : getCode(x) - getCode(y)
    if (difference !== 0) return difference
  }
  return 0
}

const getCode = (part: string): number => (/^\d/.test(part) ? '0'.charCodeAt(0) : (part.codePointAt(0) ?? 0))

const splitName = (name: string): string[] =>
  foldCase(name)
    .replace(/\.(\w+)$/, '\u0001.$1')
    .match(/\d+|[^\d]/gsu) ?? []
