import { page } from '../state/page.ts'

/** Files begun and not yet complete, and the sessions that they go into: also after a reload, when they are chosen again. */
const storageKey = `uploads ${page.slug}`

export type KeptSession = { id: string; chunkBytes: number }

const sessions = new Map<string, KeptSession>(readKept())

export const keptSession = (fileKey: string): KeptSession | null => sessions.get(fileKey) ?? null

export function keepSession(fileKey: string, { id, chunkBytes }: KeptSession): void {
  sessions.set(fileKey, { id, chunkBytes })
  write()
}

export function forgetSession(fileKey: string): void {
  sessions.delete(fileKey)
  write()
}

function readKept(): Array<[string, KeptSession]> {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? '[]')
  } catch {
    return []
  }
}

function write(): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify([...sessions].slice(-100)))
  } catch {
    // Where nothing may be kept, a reload begins anew.
  }
}
