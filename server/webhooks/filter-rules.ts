import { invalidField } from '../platform/errors/app-error.ts'

const maxKeys = 20
const maxPathLength = 200
const maxValues = 50
const maxTextLength = 500

/** Throws VALIDATION_ERROR for the field `filter`. A filter maps paths of the envelope to allowed values. */
export function assertFilter(filter: object): void {
  const entries = Object.entries(filter)
  if (entries.length > maxKeys) throw invalid(`must not have more than ${maxKeys} keys`)
  for (const [path, expected] of entries) {
    if (path.length > maxPathLength) throw invalid(`must not contain a path of more than ${maxPathLength} characters`)
    if (!isPath(path)) throw invalid('must only have paths such as data.event.event_type as keys')
    const values = Array.isArray(expected) ? expected : [expected]
    if (values.length === 0) throw invalid('must not contain an empty list, because no event would match')
    if (values.length > maxValues) throw invalid(`must not contain a list of more than ${maxValues} values`)
    if (!values.every(isPlain))
      throw invalid('must only have strings, numbers, booleans, null or lists of these as values')
    if (values.some((value) => typeof value === 'string' && value.length > maxTextLength)) {
      throw invalid(`must not contain a string of more than ${maxTextLength} characters`)
    }
  }
}

/** Whether every path of the filter has an allowed value, by strict equality. */
export const passesFilter = (filter: object, envelope: object): boolean =>
  Object.entries(filter).every(([path, expected]) => {
    const found = valueAt(envelope, path)
    return Array.isArray(expected) ? expected.includes(found) : expected === found
  })

const isPlain = (value: unknown): boolean =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)

const invalid = (message: string) => invalidField('filter', message)

/** Names separated by dots, such as `data.photo.filename`. */
export const isPath = (text: string): boolean => /^[\w-]+(\.[\w-]+)*$/.test(text)

/** Returns undefined if the path does not exist. A path names a member of a list by its index. */
export function valueAt(envelope: object, path: string): unknown {
  let value: unknown = envelope
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined
    if (!Object.hasOwn(value, name) || (Array.isArray(value) && !/^\d+$/.test(name))) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}
