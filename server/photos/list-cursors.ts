import { invalidField } from '../platform/refusal.ts'
import type { GridOrder } from './grid-filters.ts'
import type { Position } from './photo-keysets.ts'

/** What clients get as `next` and send back as `after`. They are to make nothing of it. */
export const cursorOf = ({ by, direction }: GridOrder, { id, key }: Position): string =>
  Buffer.from(JSON.stringify([by, direction, ...key, id])).toString('base64url')

const kinds = {
  upload_date: ['number'],
  filename: ['string'],
  size: ['number'],
  rating: ['number', 'number'],
} as const satisfies Record<GridOrder['by'], string[]>

/** Throws VALIDATION_ERROR for what is no cursor, and for one of another order. */
export function readCursor({ by, direction }: GridOrder, text: string): Position {
  const parts = partsOf(text)
  const [cursorBy, cursorDirection, ...place] = parts
  const kindsOfPlace = [...kinds[by], 'number']
  const isPlace =
    place.length === kindsOfPlace.length &&
    place.every((value, index) => typeof value === kindsOfPlace[index] && (isWhole(value) || isText(value)))
  if (cursorBy !== by || cursorDirection !== direction || !isPlace) {
    throw invalidField('after', 'must be the `next` of a page of the same sort and order')
  }
  return { key: place.slice(0, -1) as Position['key'], id: place.at(-1) as number }
}

const isWhole = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0

/** As every database takes it. */
const isText = (value: unknown): boolean => typeof value === 'string' && value.isWellFormed() && !value.includes('\0')

function partsOf(text: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    // Not JSON: no cursor of ours.
    return []
  }
}
