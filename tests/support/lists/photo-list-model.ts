export const modelColors = ['red', 'yellow', 'green', 'blue', 'purple'] as const
type Color = (typeof modelColors)[number]

export type GuestMarks = { rating: number | null; color: Color | null; isLiked: boolean; isFavorite: boolean }
export type OwnMarks = { rating: number | null; color: Color | null }

export type ModelPhoto = {
  id: number
  uploadedAt: number
  visibility: 'visible' | 'hidden'
  /** The marks by guest and by account. Guests and accounts without marks may be missing. */
  guests: Map<number, GuestMarks>
  accounts: Map<number, OwnMarks>
}

export type ModelQuery = Partial<
  Record<
    | 'page'
    | 'limit'
    | 'marked_only'
    | 'mark_source'
    | 'color_labels'
    | 'my_color_labels'
    | 'min_rating'
    | 'my_min_rating'
    | 'logic',
    string | undefined
  >
>

/**
 * A second, simple implementation of the public photo list, to compare with the service. Each photo has only its id,
 * its visibility and the fields that depend on feedback.
 */
export function modelList(photos: readonly ModelPhoto[], account: number, query: ModelQuery) {
  const page = Number(query.page ?? 1)
  const limit = Number(query.limit ?? 50)
  const source = query.mark_source ?? 'either'
  const matching = photos
    .map((photo) => modelRecord(photo, account, source))
    .filter((record) => matchesQuery(record, source, query))
    .sort((a, b) => a.uploadedAt - b.uploadedAt || a.id - b.id)
  return {
    photos: matching.slice((page - 1) * limit, page * limit).map(({ uploadedAt, ...record }) => record),
    pagination: {
      page,
      limit,
      total: photos.length,
      filtered: matching.length,
      pages: Math.ceil(matching.length / limit),
    },
  }
}

type ModelRecord = ReturnType<typeof modelRecord>

function modelRecord({ id, uploadedAt, visibility, guests, accounts }: ModelPhoto, account: number, source: string) {
  const marked = [...guests.values()].filter((marks) => hasMarks(marks))
  const ratings = marked.map(({ rating }) => rating).filter((rating) => rating !== null)
  const average = ratings.length === 0 ? 0 : ratings.reduce((sum, rating) => sum + rating, 0) / ratings.length
  const tally: Partial<Record<Color, number>> = {}
  for (const { color } of marked) if (color !== null) tally[color] = (tally[color] ?? 0) + 1
  const dominant = mostFrequent(tally)
  const own = accounts.get(account) ?? { rating: null, color: null }
  const client = { rating: ratings.length === 0 ? null : Math.floor(average + 0.5), color: dominant }
  return {
    id,
    uploadedAt,
    visibility,
    average_rating: Number(`${Math.floor(average * 100 + 0.5)}e-2`),
    feedback_count: marked.length,
    like_count: marked.filter(({ isLiked }) => isLiked).length,
    favorite_count: marked.filter(({ isFavorite }) => isFavorite).length,
    comment_count: 0,
    color_labels: tally,
    dominant_color_label: dominant,
    my_rating: own.rating,
    my_color_label: own.color,
    ...mergeMarks(source, client, own),
  }
}

const hasMarks = ({ rating, color, isLiked, isFavorite }: GuestMarks): boolean =>
  rating !== null || color !== null || isLiked || isFavorite

/** Ties are resolved in this order: green, yellow, red, blue, purple. */
function mostFrequent(tally: Partial<Record<Color, number>>): Color | null {
  let best: Color | null = null
  for (const color of ['green', 'yellow', 'red', 'blue', 'purple'] as const) {
    if ((tally[color] ?? 0) > (best === null ? 0 : (tally[best] ?? 0))) best = color
  }
  return best
}

function mergeMarks(source: string, client: OwnMarks, own: OwnMarks) {
  if (source === 'client') return { rating: client.rating, color_label: client.color }
  if (source === 'mine') return { rating: own.rating, color_label: own.color }
  const ratings = [client.rating, own.rating].filter((rating) => rating !== null)
  return {
    rating: ratings.length === 0 ? null : Math.max(...ratings),
    color_label: own.color === null ? client.color : own.color,
  }
}

function matchesQuery(record: ModelRecord, source: string, query: ModelQuery): boolean {
  const clauses: boolean[] = []
  const colors = parseList(query.color_labels)
  if (colors.length > 0) clauses.push(colors.some((color) => color in record.color_labels))
  const myColors = parseList(query.my_color_labels)
  if (myColors.length > 0) clauses.push(myColors.some((color) => color === record.my_color_label))
  const stars = Number(query.min_rating ?? 0)
  if (stars > 0) clauses.push(record.average_rating >= stars)
  const myStars = Number(query.my_min_rating ?? 0)
  if (myStars > 0) clauses.push((record.my_rating ?? 0) >= myStars)
  if (query.marked_only === 'true') {
    const byGuests = record.average_rating > 0 || Object.keys(record.color_labels).length > 0
    const byMe = record.my_rating !== null || record.my_color_label !== null
    clauses.push((source !== 'mine' && byGuests) || (source !== 'client' && byMe))
  }
  if (clauses.length === 0) return true
  return query.logic === 'OR' ? clauses.some(Boolean) : clauses.every(Boolean)
}

const parseList = (text = ''): string[] =>
  text === 'all' ? [] : text.split(',').flatMap((word) => (word.trim() === '' ? [] : [word.trim()]))
