import type { UploadSession } from '../../shared/uploads/send-file.ts'
import { page } from '../state/page.ts'

/** Files begun and not yet complete, and the sessions that they go into: also after a reload, when they are chosen again. */
const storageKey = `uploads ${page.slug}`

const sessions = new Map<string, UploadSession>(readKept())

export const keptSession = (fileKey: string): UploadSession | null => sessions.get(fileKey) ?? null

/** Null forgets it. */
export function keepSession(fileKey: string, session: UploadSession | null): void {
  if (session === null) sessions.delete(fileKey)
  else sessions.set(fileKey, session)
  try {
    localStorage.setItem(storageKey, JSON.stringify([...sessions].slice(-100)))
  } catch {
    // Where nothing may be kept, a reload begins anew.
  }
}

function readKept(): Array<[string, UploadSession]> {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? '[]')
  } catch {
    return []
  }
}
