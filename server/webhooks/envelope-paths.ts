/** Names separated by dots, as filters and templates write them: `data.photo.filename`. */
export const isPath = (text: string): boolean => /^[\w-]+(\.[\w-]+)*$/.test(text)

/** What stands at the path; undefined where nothing does. Members of lists are named by their position. */
export function valueAt(envelope: object, path: string): unknown {
  let value: unknown = envelope
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined
    if (!Object.hasOwn(value, name) || (Array.isArray(value) && !/^\d+$/.test(name))) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}
