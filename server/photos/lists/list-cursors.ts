import { invalidField } from '../../platform/errors/app-error.ts'
import type { PhotoOrder } from '../photo-orders.ts'
import type { Position } from './photo-keysets.ts'

/** Clients receive the cursor as `next` and send it back as `after`. */
export const formatCursor = ({ by, direction }: PhotoOrder, { id, key }: Position): string =>
  Buffer.from(JSON.stringify([by, direction, ...key, id])).toString('base64url')

const isText = (value: unknown): boolean =>
  // PostgreSQL rejects other text.
  typeof value === 'string' && value.isWellFormed() && !value.includes('\0')
const isNonNegativeInteger = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0

/** Checks of the sort values that come before the id in a cursor. Each inner list is one valid form. */
const keyChecks: Record<PhotoOrder['by'], Array<Array<(value: unknown) => boolean>>> = {
  upload_date: [[isNonNegativeInteger]],
  // A time before 1970 is negative. A photo without a capture time has only a name.
  capture_date: [[Number.isSafeInteger, isText], [isText]],
  filename: [[isText]],
  size: [[isNonNegativeInteger]],
  rating: [[isNonNegativeInteger, isNonNegativeInteger]],
  // A place before all others can be negative. A photo without a place has only its upload time.
  manual: [[Number.isSafeInteger, isNonNegativeInteger], [isNonNegativeInteger]],
}

/** Throws VALIDATION_ERROR for an invalid cursor or a cursor of another order. */
export function parseCursor({ by, direction }: PhotoOrder, text: string): Position {
  const [cursorBy, cursorDirection, ...position] = decodeParts(text)
  const isPosition = keyChecks[by].some((key) => {
    const tests = [...key, isNonNegativeInteger]
    return position.length === tests.length && tests.every((fits, index) => fits(position[index]))
  })
  if (cursorBy !== by || cursorDirection !== direction || !isPosition) {
    throw invalidField('after', 'must be the `next` of a page of the same sort and order')
  }
  return { key: position.slice(0, -1) as Position['key'], id: position.at(-1) as number }
}

function decodeParts(text: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}
