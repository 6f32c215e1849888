import { invalidField } from '../errors/app-error.ts'
import { hasTooManyMarks, normalizeText, removeExcessMarks } from '../text/normalize-text.ts'

/** The keywords of JSON Schema that say which values a body has. */
export type BodySchema = {
  properties?: Record<string, BodySchema>
  additionalProperties?: unknown
  items?: BodySchema
  maxItems?: number
  anyOf?: BodySchema[]
  allOf?: BodySchema[]
  /** Combining marks after the 30th in a row are removed, not rejected: the name of a file is not typed. */
  'x-file-name'?: true
}

/**
 * Returns the value without the keys that the schema does not name, and without the items of an array after the first
 * one too many, so that validation takes no time for them. Keeps unknown keys where the schema rejects or allows them.
 */
export function dropUnknown(schema: BodySchema, value: unknown): unknown {
  return drop([schema], value)
}

function drop(schemas: readonly BodySchema[], value: unknown): unknown {
  const choices = schemas.flatMap(listChoices)
  if (typeof value === 'string') return choices.some((one) => one['x-file-name']) ? removeExcessMarks(value) : value
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? dropItems(choices, value) : dropKeys(choices, value)
}

const listChoices = (schema: BodySchema): BodySchema[] => [
  schema,
  ...[...(schema.anyOf ?? []), ...(schema.allOf ?? [])].flatMap(listChoices),
]

function dropItems(choices: readonly BodySchema[], value: unknown[]): unknown[] {
  const items = choices.flatMap((one) => one.items ?? [])
  if (items.length === 0) return value
  const maxItems = Math.max(...choices.map((one) => (one.items ? (one.maxItems ?? Number.POSITIVE_INFINITY) : 0)))
  return value.slice(0, maxItems + 1).map((item) => drop(items, item))
}

function dropKeys(choices: readonly BodySchema[], value: object): object {
  const known = choices.filter((one) => one.properties)
  const isClosed = known.length > 0 && known.every((one) => one.additionalProperties === undefined)
  const kept = Object.entries(value).flatMap(([key, inner]) => {
    const schemas = known.flatMap(({ properties = {} }) =>
      Object.hasOwn(properties, key) ? (properties[key] ?? []) : [],
    )
    if (schemas.length > 0) return [[key, drop(schemas, inner)]]
    return isClosed ? [] : [[key, inner]]
  })
  return Object.fromEntries(kept)
}

const maxLevels = 50

/**
 * Returns the value with all text in NFC. Throws VALIDATION_ERROR for text with NUL, lone surrogates or more than 30
 * combining marks in a row, and for more than 50 levels of nesting.
 */
export function normalizeFields(value: unknown, path: string[] = []): unknown {
  if (path.length > maxLevels) throw invalidAt(path.slice(0, 1), 'The body is nested too deeply.')
  if (typeof value === 'string') return normalizeField(value, path)
  if (Array.isArray(value)) return value.map((inner, index) => normalizeFields(inner, [...path, String(index)]))
  if (value !== null && typeof value === 'object') {
    const fields = Object.entries(value).map(([key, inner]) => [key, normalizeFields(inner, [...path, key])])
    return Object.fromEntries(fields)
  }
  return value
}

function normalizeField(text: string, path: string[]): string {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw invalidAt(path, 'Text must not contain NUL characters or broken Unicode.')
  }
  if (hasTooManyMarks(text)) throw invalidAt(path, 'Text must not contain more than 30 combining marks in a row.')
  return normalizeText(text)
}

const invalidAt = (path: string[], message: string) =>
  invalidField(path.map((key) => key.slice(0, 100)).join('.'), message)
