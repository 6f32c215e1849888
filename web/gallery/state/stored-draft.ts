const memory = new Map<string, string>()

/** Stores a text for this window, across reloads if the browser allows it. Null removes it. */
export function storeDraft(name: string, text: string | null): void {
  if (text === null) memory.delete(name)
  else memory.set(name, text)
  withStorage((storage) => (text === null ? storage.removeItem(name) : storage.setItem(name, text)))
}

export const storedDraft = (name: string): string | null =>
  memory.get(name) ?? withStorage((storage) => storage.getItem(name)) ?? null

/** Browsers throw when storage is forbidden or full. */
function withStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage)
  } catch {
    return undefined
  }
}
