import { readStoredJson, writeStored } from '../../shared/browser-storage.ts'
import type { UploadSession } from '../../shared/uploads/send-file.ts'
import { page } from '../state/page.ts'

/** The upload sessions of unfinished files are stored, so that the upload of a file chosen again continues. */
const storageKey = `uploads ${page.slug}`

const sessions = new Map(readStoredJson<Array<[string, UploadSession]>>('localStorage', storageKey))

export const storedSession = (fileKey: string): UploadSession | null => sessions.get(fileKey) ?? null

/** Null removes the session. Only the last 100 sessions survive a reload. */
export function storeSession(fileKey: string, session: UploadSession | null): void {
  if (session === null) sessions.delete(fileKey)
  else sessions.set(fileKey, session)
  // Without storage, uploads start again after a reload.
  writeStored('localStorage', storageKey, JSON.stringify([...sessions].slice(-100)))
}
