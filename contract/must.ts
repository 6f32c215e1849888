/** Returns the value. Throws when it is missing, which is a defect; `what` names it in the error. */
export function must<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`Missing: ${what}`)
  return value
}
