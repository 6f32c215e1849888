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
