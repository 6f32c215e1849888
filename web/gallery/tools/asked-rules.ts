import type { GalleryAsked } from '../../../contract/gallery-page.ts'

const filterKeys = ['filter', 'color_label', 'category_id', 'my_min_rating', 'media_type', 'search'] as const
const askable = [...filterKeys, 'sort', 'order'] as const

type PartialQuery = { [Key in keyof GalleryAsked]?: GalleryAsked[Key] | undefined }

/** Returns the query without empty values and in a fixed key order, so that equal queries have equal JSON. */
export const inOrder = (wanted: PartialQuery): GalleryAsked =>
  Object.fromEntries(askable.flatMap((key) => (wanted[key] ? [[key, wanted[key]]] : [])))

export const readAsked = (query: string): GalleryAsked => inOrder(Object.fromEntries(new URLSearchParams(query)))

export const isFiltered = (asked: GalleryAsked): boolean => filterKeys.some((key) => asked[key])

const listed = (text = ''): string[] => text.split(',').filter(Boolean)

export const names = (asked: GalleryAsked, key: 'filter' | 'color_label', word: string): boolean =>
  listed(asked[key]).includes(word)

export function toggled(asked: GalleryAsked, key: 'filter' | 'color_label', word: string): GalleryAsked {
  const words = listed(asked[key])
  const others = words.filter((other) => other !== word)
  return inOrder({ ...asked, [key]: (others.length < words.length ? others : [...words, word]).join(',') })
}

/** Returns how many active filters have no chip: rating, each color, marks other than picks, videos. */
export function hiddenFilterCount(asked: GalleryAsked, pick: string): number {
  const marked = listed(asked.filter).filter((word) => word !== pick)
  return marked.length + listed(asked.color_label).length + (asked.my_min_rating ? 1 : 0) + (asked.media_type ? 1 : 0)
}

/** Returns the query of a chip: its scope, with the filters of the sheet unchanged. */
export function withScope(asked: GalleryAsked, scope: GalleryAsked, pick: string): GalleryAsked {
  const marked = listed(asked.filter).filter((word) => word !== pick)
  const filter = [...listed(scope.filter), ...marked].join(',')
  return inOrder({ ...asked, filter, category_id: scope.category_id })
}
