/** Converts numbers and booleans back to text, because the router parses text such as `12` and `true`. */
export const parseText = (value: unknown): string | undefined =>
  ['string', 'number', 'boolean'].includes(typeof value) && value !== '' ? String(value) : undefined

export const parsePositiveInt = (value: unknown): number | undefined =>
  Number(value) >= 1 && Number(value) < 2 ** 31 ? Math.trunc(Number(value)) : undefined

export function omitUndefined<T extends Record<string, unknown>>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }
}
