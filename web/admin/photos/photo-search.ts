import { type ColorLabel, colorLabels } from '../../../contract/color-labels.ts'

const sorts = ['date', 'capture_date', 'name', 'size', 'rating'] as const
const kinds = ['has_favorites', 'has_likes', 'has_comments'] as const
const words = {
  visibility: ['visible', 'hidden'],
  media_type: ['image', 'video'],
  uploaded_by: ['admin', 'api', 'guest', 'import'],
  processing_status: ['processing', 'failed'],
} as const

type Words = { [Name in keyof typeof words]?: (typeof words)[Name][number] }

/** Which photos the page shows and in what order, as its address says; what is left out asks for nothing. */
export type PhotoSearch = Words & {
  [Kind in (typeof kinds)[number]]?: true
} & {
  search?: string
  /** An id, or `individual`, `collage`, `uncategorized`. */
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

/** Takes of an address what the list understands, so that a mistyped one shows photos and no rejection. */
export function readSearch(address: Record<string, unknown>): PhotoSearch {
  const found: Record<string, unknown> = {}
  const text = (name: string) => String(address[name] ?? '').trim()
  if (text('search')) found.search = text('search').slice(0, 200)
  if (/^(\d{1,15}|individual|collage|uncategorized)$/.test(text('category_id'))) found.category_id = text('category_id')
  for (const kind of kinds) if (['1', 'true'].includes(text(kind))) found[kind] = true
  for (const name of ['min_rating', 'own_min_rating']) {
    const stars = Number(text(name))
    if (stars >= 1 && stars <= 5) found[name] = Math.trunc(stars)
  }
  for (const name of ['color_label', 'own_color_label']) {
    const colors = colorsIn(text(name))
    if (colors.length > 0) found[name] = colors.join(',')
  }
  for (const [name, allowed] of Object.entries(words)) if (isOneOf(allowed, address[name])) found[name] = address[name]
  if (address.logic === 'OR') found.logic = 'OR'
  if (isOneOf(sorts, address.sort) && address.sort !== 'date') found.sort = address.sort
  if (isOneOf(['asc', 'desc'], address.order)) found.order = address.order
  return found as PhotoSearch
}

/** Of a text such as `red,green`: those there are, each once. */
export function colorsIn(text: string | undefined): ColorLabel[] {
  const named = (text ?? '').split(',')
  return colorLabels.filter((color) => named.includes(color))
}

export function withColor(text: string | undefined, color: ColorLabel): string | undefined {
  const before = colorsIn(text)
  const after = colorLabels.filter((one) => before.includes(one) !== (one === color))
  return after.length > 0 ? after.join(',') : undefined
}

const marks = [
  'has_favorites',
  'has_likes',
  'has_comments',
  'min_rating',
  'color_label',
  'own_min_rating',
  'own_color_label',
] as const

/** The filters that AND and OR join: with one alone there is nothing to join. */
export const joinedFilters = (search: PhotoSearch): FilterName[] => marks.filter((name) => search[name] !== undefined)

/** All that leaves photos out. */
export const filtersIn = (search: PhotoSearch): FilterName[] => [
  ...(['search', 'category_id'] as const).filter((name) => search[name] !== undefined),
  ...joinedFilters(search),
  ...(Object.keys(words) as Array<keyof typeof words>).filter((name) => search[name] !== undefined),
]

export const directionOf = ({ sort, order }: PhotoSearch): 'asc' | 'desc' =>
  order ?? (sort === 'rating' ? 'desc' : 'asc')

/** As the address holds it: numbers for ids and for what is on, which routers write without quotes. */
export const addressOf = (search: PhotoSearch): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(search).map(([name, value]) => [
      name,
      value === true ? 1 : name === 'category_id' && /^\d+$/.test(String(value)) ? Number(value) : value,
    ]),
  )

/** With these set anew; undefined asks for nothing any more. */
export function changed(
  search: PhotoSearch,
  change: { [Name in keyof PhotoSearch]: PhotoSearch[Name] | undefined },
): PhotoSearch {
  const next = Object.fromEntries(Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined))
  if (joinedFilters(next as PhotoSearch).length < 2) delete next.logic
  return next as PhotoSearch
}
