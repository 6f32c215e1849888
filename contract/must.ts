/** Returns the value. If it is null or undefined, which is a bug, throws an error that names `what`. */
export function must<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`Missing: ${what}`)
  return value
}
