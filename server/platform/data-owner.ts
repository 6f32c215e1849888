import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export type DataOwner = { uid: number; gid: number; name: string }

/**
 * Returns the user whom the data of the folder belong to, if this process runs as another one: its files would be
 * unreadable for the service. For a folder without data, only root is another user, since others may share a group.
 */
export function findOtherOwner(dataDir: string): DataOwner | null {
  const ownUid = process.getuid?.()
  const content = ['proofroom.db', 'secrets'].map((name) => join(dataDir, name)).find((path) => existsSync(path))
  const ids = findIds(content ?? dataDir)
  if (ownUid === undefined || ids === null || ids.uid === ownUid) return null
  return content !== undefined || ownUid === 0 ? { ...ids, name: findUserName(ids.uid) } : null
}

function findIds(path: string): { uid: number; gid: number } | null {
  try {
    const { uid, gid } = statSync(path)
    return { uid, gid }
  } catch {
    return null
  }
}

/** Returns `#1000`, as sudo accepts it, for a user without a name. */
export function findUserName(uid: number): string {
  try {
    const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
    const found = lines.map((line) => line.split(':')).find(([, , id]) => id === String(uid))
    return found?.[0] ?? `#${uid}`
  } catch {
    return `#${uid}`
  }
}
