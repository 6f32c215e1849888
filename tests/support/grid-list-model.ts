import { averageOf, compareNames, type GalleryModelPhoto, lower, parseList } from './gallery-list-model.ts'

/** A second, simple implementation of the admin app's list from the contract. It imports nothing of the service. */
export type GridModelQuery = Partial<
  Record<
    | 'category_id'
    | 'type'
    | 'search'
    | 'has_likes'
    | 'has_favorites'
    | 'has_comments'
    | 'min_rating'
    | 'color_label'
    | 'logic'
    | 'sort'
    | 'order',
    string | undefined
  >
>

export const modelGrid = (
  photos: readonly GalleryModelPhoto[],
  areCommentsApproved: boolean,
  query: GridModelQuery,
): number[] =>
  photos
    .filter((photo) => isInPlace(photo, query) && passes(photo, areCommentsApproved, query))
    .sort(orderOf(query))
    .map(({ id }) => id)

function isInPlace({ categoryId, type, filename, name }: GalleryModelPhoto, query: GridModelQuery): boolean {
  const category = query.category_id ?? ''
  if (category === 'uncategorized' && (categoryId !== null || type !== null)) return false
  if (['individual', 'collage'].includes(category) && (categoryId !== null || type !== category)) return false
  if (/^\d+$/.test(category) && categoryId !== Number(category)) return false
  if (['individual', 'collage'].includes(query.type ?? '') && type !== query.type) return false
  const text = lower(query.search ?? '').trim()
  return [filename, name].some((one) => lower(one).includes(text))
}

function passes(photo: GalleryModelPhoto, areCommentsApproved: boolean, query: GridModelQuery): boolean {
  const given = [...photo.given.values()]
  const clauses: boolean[] = []
  if (query.has_likes === 'true') clauses.push(given.some(({ isLiked }) => isLiked))
  if (query.has_favorites === 'true') clauses.push(given.some(({ isFavorite }) => isFavorite))
  if (query.has_comments === 'true') clauses.push(areCommentsApproved && given.some(({ comments }) => comments > 0))
  const stars = Number(query.min_rating ?? 0)
  if (stars > 0) clauses.push((averageOf(photo) ?? 0) >= 100 * stars)
  const colors = parseList(query.color_label)
  if (colors.length > 0) clauses.push(given.some(({ color }) => color !== null && colors.includes(color)))
  if (clauses.length === 0) return true
  return query.logic === 'OR' ? clauses.some(Boolean) : clauses.every(Boolean)
}

function orderOf({ sort = 'date', order }: GridModelQuery) {
  const way = (order ?? (sort === 'rating' ? 'desc' : 'asc')) === 'asc' ? 1 : -1
  return (a: GalleryModelPhoto, b: GalleryModelPhoto): number => {
    if (sort === 'name') return way * (compareNames(a.sourceName, b.sourceName) || a.id - b.id)
    if (sort === 'capture_date') {
      const [one, other] = [a.capturedAt, b.capturedAt]
      if (one === null || other === null) return one === other ? way * (a.id - b.id) : one === null ? 1 : -1
      return way * (one - other || a.id - b.id)
    }
    if (sort === 'size') return way * (a.sizeBytes - b.sizeBytes || a.id - b.id)
    const asUploaded = way * (a.uploadedAt - b.uploadedAt || a.id - b.id)
    if (sort === 'date') return asUploaded
    const [one, other] = [averageOf(a), averageOf(b)]
    if (one === null || other === null) return one === other ? asUploaded : one === null ? 1 : -1
    return way * (one - other) || asUploaded
  }
}
