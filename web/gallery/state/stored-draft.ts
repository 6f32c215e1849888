import { readStored, writeStored } from '../../shared/browser-storage.ts'

const memory = new Map<string, string>()

/** Stores a text for this window, also across reloads if session storage works. Null removes the text. */
export function storeDraft(name: string, text: string | null): void {
  if (text === null) memory.delete(name)
  else memory.set(name, text)
  writeStored('sessionStorage', name, text)
}

export const storedDraft = (name: string): string | null => memory.get(name) ?? readStored('sessionStorage', name)
