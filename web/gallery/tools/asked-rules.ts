import type { GalleryAsked } from '../../../contract/gallery-page.ts'

const filterKeys = ['filter', 'color_label', 'category_id', 'my_min_rating', 'media_type', 'search'] as const
const askable = [...filterKeys, 'sort', 'order'] as const

type Wished = { [Key in keyof GalleryAsked]?: GalleryAsked[Key] | undefined }

/** The same wishes in one order, without empty ones: so that those that are alike look alike. */
export const inOrder = (wanted: Wished): GalleryAsked =>
  Object.fromEntries(askable.flatMap((key) => (wanted[key] ? [[key, wanted[key]]] : [])))

/** What the query of an address asks for. */
export const readAsked = (query: string): GalleryAsked => inOrder(Object.fromEntries(new URLSearchParams(query)))

/** Whether not all photos are asked for. */
export const isFiltered = (asked: GalleryAsked): boolean => filterKeys.some((key) => asked[key])

const listed = (text = ''): string[] => text.split(',').filter(Boolean)

/** Whether one of the words of a filter, such as `filter` or `color_label`, is among those asked for. */
export const names = (asked: GalleryAsked, key: 'filter' | 'color_label', word: string): boolean =>
  listed(asked[key]).includes(word)

/** With that word, when it is not there, else without it. */
export function toggled(asked: GalleryAsked, key: 'filter' | 'color_label', word: string): GalleryAsked {
  const words = listed(asked[key])
  const others = words.filter((other) => other !== word)
  return inOrder({ ...asked, [key]: (others.length < words.length ? others : [...words, word]).join(',') })
}

/** How many filters are on that no chip shows: stars, each colour, what was marked otherwise than by a pick, videos. */
export function hiddenFilterCount(asked: GalleryAsked, pick: string): number {
  const marked = listed(asked.filter).filter((word) => word !== pick)
  return marked.length + listed(asked.color_label).length + (asked.my_min_rating ? 1 : 0) + (asked.media_type ? 1 : 0)
}

/** What a chip leads to: its own photos, with the filters of the sheet as they are. */
export function withScope(asked: GalleryAsked, scope: GalleryAsked, pick: string): GalleryAsked {
  const marked = listed(asked.filter).filter((word) => word !== pick)
  const filter = [...listed(scope.filter), ...marked].join(',')
  return inOrder({ ...asked, filter, category_id: scope.category_id })
}
