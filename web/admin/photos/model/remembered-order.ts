import { type PhotoSearch, parsePhotoSearch } from './photo-search.ts'

const storageKey = 'proofroom-photo-order'

/** Stores the order for all events in this browser. */
export const rememberOrder = ({ sort, order }: PhotoSearch): void =>
  localStorage.setItem(storageKey, JSON.stringify({ sort, order }))

/** Returns the search in the order that was chosen last, unless the search has an order. */
export function withRememberedOrder(search: PhotoSearch): PhotoSearch {
  if (search.sort !== undefined || search.order !== undefined) return search
  try {
    return { ...search, ...parsePhotoSearch(JSON.parse(localStorage.getItem(storageKey) ?? '{}')) }
  } catch {
    return search
  }
}
