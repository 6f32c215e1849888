import { invalidField } from '../platform/app-error.ts'
import type { Position } from './photo-keysets.ts'
import type { PhotoOrder } from './photo-orders.ts'

/** Clients get it as `next` and send it as `after`. */
export const cursorOf = ({ by, direction }: PhotoOrder, { id, key }: Position): string =>
  Buffer.from(JSON.stringify([by, direction, ...key, id])).toString('base64url')

const isText = (value: unknown): boolean =>
  // PostgreSQL rejects other text.
  typeof value === 'string' && value.isWellFormed() && !value.includes('\0')
const isWhole = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
/** Negative values are valid: pictures may be older than 1970. */
const isTime = (value: unknown): boolean => Number.isSafeInteger(value)

/** The values before the id; an order may have several variants. */
const keys: Record<PhotoOrder['by'], Array<Array<(value: unknown) => boolean>>> = {
  upload_date: [[isWhole]],
  capture_date: [[isTime], []],
  filename: [[isText]],
  size: [[isWhole]],
  rating: [[isWhole, isWhole]],
}

/** Throws VALIDATION_ERROR for an invalid cursor or a cursor of another order. */
export function readCursor({ by, direction }: PhotoOrder, text: string): Position {
  const parts = partsOf(text)
  const [cursorBy, cursorDirection, ...place] = parts
  const isPlace = keys[by].some((key) => {
    const tests = [...key, isWhole]
    return place.length === tests.length && tests.every((fits, index) => fits(place[index]))
  })
  if (cursorBy !== by || cursorDirection !== direction || !isPlace) {
    throw invalidField('after', 'must be the `next` of a page of the same sort and order')
  }
  return { key: place.slice(0, -1) as Position['key'], id: place.at(-1) as number }
}

function partsOf(text: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}
