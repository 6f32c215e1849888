import { averageHundredths, compareNames, foldCase, type GalleryModelPhoto, parseList } from './gallery-list-model.ts'

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

/**
 * A second, simple implementation of the photo list of the admin app, to compare with the service. It imports no code
 * of the service.
 */
export const modelGridList = (
  photos: readonly GalleryModelPhoto[],
  areCommentsApproved: boolean,
  query: GridModelQuery,
): number[] =>
  photos
    .filter((photo) => isInCategory(photo, query) && matchesMarks(photo, areCommentsApproved, query))
    .sort(createComparator(query))
    .map(({ id }) => id)

function isInCategory({ categoryId, type, filename, name }: GalleryModelPhoto, query: GridModelQuery): boolean {
  const category = query.category_id ?? ''
  if (category === 'uncategorized' && (categoryId !== null || type !== null)) return false
  if (['individual', 'collage'].includes(category) && (categoryId !== null || type !== category)) return false
  if (/^\d+$/.test(category) && categoryId !== Number(category)) return false
  if (['individual', 'collage'].includes(query.type ?? '') && type !== query.type) return false
  const text = foldCase(query.search ?? '').trim()
  return [filename, name].some((one) => foldCase(one).includes(text))
}

function matchesMarks(photo: GalleryModelPhoto, areCommentsApproved: boolean, query: GridModelQuery): boolean {
  const guestFeedback = [...photo.guestFeedback.values()]
  const clauses: boolean[] = []
  if (query.has_likes === 'true') clauses.push(guestFeedback.some(({ isLiked }) => isLiked))
  if (query.has_favorites === 'true') clauses.push(guestFeedback.some(({ isFavorite }) => isFavorite))
  if (query.has_comments === 'true')
    clauses.push(areCommentsApproved && guestFeedback.some(({ comments }) => comments > 0))
  const stars = Number(query.min_rating ?? 0)
  if (stars > 0) clauses.push((averageHundredths(photo) ?? 0) >= 100 * stars)
  const colors = parseList(query.color_label)
  if (colors.length > 0) clauses.push(guestFeedback.some(({ color }) => color !== null && colors.includes(color)))
  if (clauses.length === 0) return true
  return query.logic === 'OR' ? clauses.some(Boolean) : clauses.every(Boolean)
}

function createComparator({ sort = 'date', order }: GridModelQuery) {
  const direction = (order ?? (sort === 'rating' ? 'desc' : 'asc')) === 'asc' ? 1 : -1
  return (a: GalleryModelPhoto, b: GalleryModelPhoto): number => {
    if (sort === 'name') return direction * (compareNames(a.sourceName, b.sourceName) || a.id - b.id)
    if (sort === 'capture_date') {
      const [one, other] = [a.capturedAt, b.capturedAt]
      const ties = compareNames(a.sourceName, b.sourceName) || a.id - b.id
      if (one === null || other === null) return one === other ? direction * ties : one === null ? 1 : -1
      return direction * (one - other || ties)
    }
    if (sort === 'size') return direction * (a.sizeBytes - b.sizeBytes || a.id - b.id)
    const asUploaded = direction * (a.uploadedAt - b.uploadedAt || a.id - b.id)
    // No photo of these lists has a place by hand.
    if (sort === 'date' || sort === 'manual') return asUploaded
    const [one, other] = [averageHundredths(a), averageHundredths(b)]
    if (one === null || other === null) return one === other ? asUploaded : one === null ? 1 : -1
    return direction * (one - other) || asUploaded
  }
}
