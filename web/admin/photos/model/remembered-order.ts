import { readStoredJson, writeStored } from '../../../shared/browser-storage.ts'
import { type PhotoSearch, parsePhotoSearch } from './photo-search.ts'

const storageKey = 'proofroom-photo-order'

/** Stores the order for all events in this browser. */
export const rememberOrder = ({ sort, order }: PhotoSearch): void =>
  writeStored('localStorage', storageKey, JSON.stringify({ sort, order }))

/** Returns the search in the order that was chosen last, unless the search has an order. */
export function withRememberedOrder(search: PhotoSearch): PhotoSearch {
  if (search.sort !== undefined || search.order !== undefined) return search
  return { ...search, ...parsePhotoSearch(readStoredJson('localStorage', storageKey) ?? {}) }
}
