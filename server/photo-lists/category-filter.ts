import { photoTypes } from '../../contract/photos.ts'
import { invalidField } from '../platform/app-error.ts'
import type { PhotoFilter } from './photo-filters.ts'

const reservedValues = [...photoTypes, 'uncategorized'] as const

/** Returns undefined (no filter) for an empty text and `all`. Throws VALIDATION_ERROR. */
export function parseCategoryFilter(text = ''): PhotoFilter['category'] {
  if (text === '' || text === 'all') return undefined
  const word = reservedValues.find((one) => one === text)
  if (word) return word
  const id = /^\d{1,16}$/.test(text) ? Number(text) : 0
  if (id >= 1 && id <= Number.MAX_SAFE_INTEGER) return id
  throw invalidField('category_id', `must be an id, or one of ${reservedValues.join(', ')}`)
}
