// Browsers throw or have no storage where it is forbidden, as in some apps, and throw where it is full. The apps then
// work without it.

type Kind = 'localStorage' | 'sessionStorage'

/** Returns null for a missing value, and without storage. */
export function readStored(kind: Kind, key: string): string | null {
  try {
    return window[kind].getItem(key)
  } catch {
    return null
  }
}

/** Returns the stored JSON value, or null for a missing or damaged one. */
export function readStoredJson<Value>(kind: Kind, key: string): Value | null {
  try {
    return JSON.parse(readStored(kind, key) ?? 'null')
  } catch {
    return null
  }
}

/** Null removes the value. Does nothing without storage. */
export function writeStored(kind: Kind, key: string, value: string | null): void {
  try {
    if (value === null) window[kind].removeItem(key)
    else window[kind].setItem(key, value)
  } catch {
    // See above.
  }
}
