const memory = new Map<string, string>()

/** Stores a text for this window, also across reloads if session storage works. Null removes the text. */
export function storeDraft(name: string, text: string | null): void {
  if (text === null) memory.delete(name)
  else memory.set(name, text)
  withStorage((storage) => (text === null ? storage.removeItem(name) : storage.setItem(name, text)))
}

export const storedDraft = (name: string): string | null =>
  memory.get(name) ?? withStorage((storage) => storage.getItem(name)) ?? null

/** Returns undefined when storage is forbidden or full, because browsers throw then. */
function withStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage)
  } catch {
    return undefined
  }
}
