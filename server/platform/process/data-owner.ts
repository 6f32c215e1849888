import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

type Ids = { uid: number; gid: number }

export type DataOwner = Ids & { name: string }

/**
 * Returns the user whom the data of the folder belong to, if this process runs as another one: its files would be
 * unreadable for the service. For a folder without data, only root is another user, since others may share a group.
 */
export function findOtherOwner(dataDir: string): DataOwner | null {
  const ownUid = process.getuid?.()
  const folder = findIds(dataDir)
  if (ownUid === undefined || folder === null) return null
  const content = ['proofroom.db', 'secrets'].map((name) => join(dataDir, name)).find((path) => existsSync(path))
  const ids = (content === undefined ? null : findIds(content)) ?? folder
  if (ids.uid === ownUid) return null
  // Files of root in the folder of another user were copied there by root. The service runs as the other user.
  const owner = ids.uid === 0 ? folder : ids
  if (owner.uid === ownUid) return null
  const isTheirs = content !== undefined || ownUid === 0 || (owner.uid !== 0 && !canUse(dataDir, constants.X_OK))
  return isTheirs ? { ...owner, name: findUserName(owner.uid) } : null
}

export function findIds(path: string): Ids | null {
  try {
    const { uid, gid } = statSync(path)
    return { uid, gid }
  } catch {
    return null
  }
}

/** Returns false if this process lacks the rights, for example `constants.R_OK`. Other obstacles count as usable. */
export function canUse(path: string, rights: number): boolean {
  try {
    accessSync(path, rights)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EACCES'
  }
}

/** Returns `#1000`, as sudo accepts it, for a user without a name. */
export const findUserName = (uid: number): string => findName('/etc/passwd', uid) ?? `#${uid}`

/** Returns `user:group` for chown, with the ids of those that have no name. */
export const formatOwner = ({ uid, gid }: Ids): string =>
  `${findName('/etc/passwd', uid) ?? uid}:${findName('/etc/group', gid) ?? gid}`

function findName(file: string, id: number): string | undefined {
  try {
    const lines = readFileSync(file, 'utf8').split('\n')
    return lines.map((line) => line.split(':')).find(([, , one]) => one === String(id))?.[0]
  } catch {
    return undefined
  }
}
