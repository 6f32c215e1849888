const here = new Map<string, string>()

/** Keeps a text as long as the window is open, over reloads where the browser lets us; null forgets it. */
export function keepText(name: string, text: string | null): void {
  if (text === null) here.delete(name)
  else here.set(name, text)
  withStorage((storage) => (text === null ? storage.removeItem(name) : storage.setItem(name, text)))
}

export const keptText = (name: string): string | null =>
  here.get(name) ?? withStorage((storage) => storage.getItem(name)) ?? null

/** Browsers throw where storing is forbidden or its space is used up. */
function withStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage)
  } catch {
    return undefined
  }
}
