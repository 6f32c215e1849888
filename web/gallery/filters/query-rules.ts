import type { GalleryListQueryParams as ListQuery } from '../../../contract/gallery/gallery-page.ts'

const filterKeys = ['filter', 'color_label', 'category_id', 'my_min_rating', 'media_type', 'search'] as const
const queryKeys = [...filterKeys, 'sort', 'order'] as const

type ValuesKey = 'filter' | 'color_label'
type PartialQuery = { [Key in keyof ListQuery]?: ListQuery[Key] | undefined }

/** Returns the query without empty values and in a fixed key order, so that equal queries have equal JSON. */
export const normalizeQuery = (nextQuery: PartialQuery): ListQuery =>
  Object.fromEntries(queryKeys.flatMap((key) => (nextQuery[key] ? [[key, nextQuery[key]]] : [])))

export const parseQuery = (query: string): ListQuery => normalizeQuery(Object.fromEntries(new URLSearchParams(query)))

export const isFiltered = (listQuery: ListQuery): boolean => filterKeys.some((key) => listQuery[key])

const splitValues = (text = ''): string[] => text.split(',').filter(Boolean)

export const includesValue = (listQuery: ListQuery, key: ValuesKey, word: string): boolean =>
  splitValues(listQuery[key]).includes(word)

export function toggleValue(listQuery: ListQuery, key: ValuesKey, word: string): ListQuery {
  const words = splitValues(listQuery[key])
  const others = words.filter((other) => other !== word)
  return normalizeQuery({ ...listQuery, [key]: (others.length < words.length ? others : [...words, word]).join(',') })
}

/** Counts the active filters without a chip (see tools.tsx): rating, videos, each color, and each mark except picks. */
export function hiddenFilterCount(listQuery: ListQuery, pick: string): number {
  const marked = splitValues(listQuery.filter).filter((word) => word !== pick)
  const colors = splitValues(listQuery.color_label)
  return marked.length + colors.length + (listQuery.my_min_rating ? 1 : 0) + (listQuery.media_type ? 1 : 0)
}

/** Returns the query with the scope of a chip (picks or a category). All other filters stay. */
export function applyScope(listQuery: ListQuery, scope: ListQuery, pick: string): ListQuery {
  const marked = splitValues(listQuery.filter).filter((word) => word !== pick)
  const filter = [...splitValues(scope.filter), ...marked].join(',')
  return normalizeQuery({ ...listQuery, filter, category_id: scope.category_id })
}
