import { type ColorLabel, colorLabels } from '../../../../contract/color-labels.ts'

const sorts = ['date', 'capture_date', 'name', 'size', 'rating', 'manual'] as const
export const flagFilters = ['has_favorites', 'has_likes', 'has_comments'] as const
export const decisionFilters = ['changes_wanted', 'waiting', 'approved', 'approved_with_changes'] as const
const enumFilters = {
  visibility: ['visible', 'hidden'],
  media_type: ['image', 'video'],
  uploaded_by: ['admin', 'api', 'guest', 'import'],
  processing_status: ['processing', 'failed'],
  review: ['waiting'],
  decision: decisionFilters,
} as const

type EnumFilters = { [Name in keyof typeof enumFilters]?: (typeof enumFilters)[Name][number] }

/** The filters and the order of the grid, as in the address. Missing properties do not filter. */
export type PhotoSearch = EnumFilters & { [Flag in (typeof flagFilters)[number]]?: true } & {
  search?: string
  /** A category id, or `individual`, `collage` or `uncategorized`. */
  category_id?: string
  min_rating?: number
  color_label?: string
  own_min_rating?: number
  own_color_label?: string
  logic?: 'OR'
  sort?: (typeof sorts)[number]
  order?: 'asc' | 'desc'
}

export type FilterName = Exclude<keyof PhotoSearch, 'sort' | 'order' | 'logic'>

const isOneOf = <Word extends string>(allowed: readonly Word[], value: unknown): value is Word =>
  (allowed as readonly unknown[]).includes(value)

/** Parses the search parameters of the address. Ignores invalid values, because the API would reject them. */
export function parsePhotoSearch(address: Record<string, unknown>): PhotoSearch {
  const found: Record<string, unknown> = {}
  const text = (name: string) => String(address[name] ?? '').trim()
  if (text('search')) found.search = text('search').slice(0, 200)
  if (/^(\d{1,15}|individual|collage|uncategorized)$/.test(text('category_id'))) found.category_id = text('category_id')
  for (const flag of flagFilters) if (['1', 'true'].includes(text(flag))) found[flag] = true
  for (const name of ['min_rating', 'own_min_rating']) {
    const stars = Number(text(name))
    if (stars >= 1 && stars <= 5) found[name] = Math.trunc(stars)
  }
  for (const name of ['color_label', 'own_color_label']) {
    const colors = parseColors(text(name))
    if (colors.length > 0) found[name] = colors.join(',')
  }
  for (const [name, allowed] of Object.entries(enumFilters))
    if (isOneOf(allowed, address[name])) found[name] = address[name]
  if (address.logic === 'OR') found.logic = 'OR'
  if (isOneOf(sorts, address.sort) && address.sort !== 'date') found.sort = address.sort
  if (isOneOf(['asc', 'desc'], address.order)) found.order = address.order
  return found as PhotoSearch
}

/** Parses a list such as `red,green`. Ignores unknown and repeated colors. */
export function parseColors(text: string | undefined): ColorLabel[] {
  const named = (text ?? '').split(',')
  return colorLabels.filter((color) => named.includes(color))
}

export function toggleColor(text: string | undefined, color: ColorLabel): string | undefined {
  const before = parseColors(text)
  const after = colorLabels.filter((one) => before.includes(one) !== (one === color))
  return after.length > 0 ? after.join(',') : undefined
}

const markFilters = [...flagFilters, 'min_rating', 'color_label', 'own_min_rating', 'own_color_label'] as const

/** Returns the filters that `logic` joins by AND or OR. */
export const listJoinedFilters = (search: PhotoSearch): FilterName[] =>
  markFilters.filter((name) => search[name] !== undefined)

export const listFilters = (search: PhotoSearch): FilterName[] => [
  ...(['search', 'category_id'] as const).filter((name) => search[name] !== undefined),
  ...listJoinedFilters(search),
  ...(Object.keys(enumFilters) as Array<keyof typeof enumFilters>).filter((name) => search[name] !== undefined),
]

export const getSortDirection = ({ sort, order }: PhotoSearch): 'asc' | 'desc' =>
  order ?? (sort === 'rating' ? 'desc' : 'asc')

/** Uses numbers for ids and flags, because the router writes numeric strings with quotes. */
export const formatPhotoSearch = (search: PhotoSearch): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(search).map(([name, value]) => [
      name,
      value === true ? 1 : name === 'category_id' && /^\d+$/.test(String(value)) ? Number(value) : value,
    ]),
  )

export type SearchChange = { [Name in keyof PhotoSearch]: PhotoSearch[Name] | undefined }

/** Returns the search with the changes; undefined removes a filter. Without two filters to join, `logic` is removed. */
export function changeSearch(search: PhotoSearch, change: SearchChange): PhotoSearch {
  const next = Object.fromEntries(Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined))
  if (listJoinedFilters(next as PhotoSearch).length < 2) delete next.logic
  return next as PhotoSearch
}
