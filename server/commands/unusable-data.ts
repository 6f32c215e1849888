import { constants, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../platform/configuration/config.ts'
import { canUse, findIds, findUserName, formatOwner } from '../platform/process/data-owner.ts'
import { findUnusableFiles } from '../platform/storage/unusable-files.ts'
import { t } from '../platform/text/command-messages.ts'
import { quote } from '../platform/text/quote.ts'

/** What this process cannot use, and the line with which an administrator fixes this. */
export type UnusableData = { text: string; line: string }

/**
 * Returns the parts of DATA_DIR that this user lacks the rights to: the folder, or files such as those that root has
 * copied there; null if there are none. Checks only what every start needs. A folder that is not writable and has no
 * such files is left to `prepareDataFolder`, because DATA_DIR may be wrong.
 */
export function findUnusableData(config: Config): UnusableData | null {
  if (isFolderUnusable(config)) return describe([config.dataDir], config.dataDir)
  const all = listNeededFiles(config).filter((path) => !isUsable(path))
  const paths = all.filter((path) => !all.includes(dirname(path)))
  return paths.length === 0 ? null : describe(paths, config.dataDir)
}

/** In a folder that cannot be entered, the rights of its files are unknown. */
function isFolderUnusable(config: Config): boolean {
  const { R_OK, W_OK, X_OK } = constants
  const { dataDir } = config
  if (!isFolder(dataDir)) return false
  if (!canUse(dataDir, R_OK | X_OK)) return true
  return !canUse(dataDir, W_OK) && listNeededFiles(config).some((path) => findIds(path) !== null)
}

/** Like `findUnusableData`, for the files of photos on the disk. Looks at each, which takes a second for 100,000. */
export async function findUnusableMedia({ dataDir }: Pick<Config, 'dataDir'>): Promise<UnusableData | null> {
  const root = join(dataDir, 'media/files')
  const { folders, files } = await findUnusableFiles(root)
  const paths = [...folders, ...files]
  const [first] = paths
  if (first === undefined) return null
  const { line } = describe([root], dataDir, isForeign(paths))
  const values = { user: getUserName(), files: describeOwned(first), more: paths.length - 1 }
  return { text: t(paths.length > 1 ? 'cannotUseMore' : 'cannotUse', values), line }
}

function describe(paths: readonly string[], dataDir: string, areForeign = isForeign(paths)): UnusableData {
  const recursive = paths.some(isFolder) ? '-R ' : ''
  const change = areForeign ? `chown ${recursive}${formatOwner(findTarget(dataDir))}` : `chmod ${recursive}u+rwX`
  return {
    text: t('cannotUse', { user: getUserName(), files: paths.map(describeOwned).join(', ') }),
    line: ['sudo', change, ...paths.map(quote)].join(' '),
  }
}

const getUserName = (): string => findUserName(process.getuid?.() ?? 0)

const describeOwned = (path: string): string => t('ownedFile', { path, user: findUserName(findIds(path)?.uid ?? 0) })

const isForeign = (paths: readonly string[]): boolean => paths.some((path) => findIds(path)?.uid !== process.getuid?.())

function listNeededFiles({ dataDir, databaseUrl, jwtSecret, encryptionKey }: Config): string[] {
  const media = ['media', 'media/staging']
  const ofSqlite = [
    'proofroom.db',
    'proofroom.db-wal',
    'proofroom.db-shm',
    'service.lock',
    'service.json',
    'secrets',
    ...(jwtSecret === null ? ['secrets/jwt-secret'] : []),
    ...(encryptionKey === null ? ['secrets/encryption-key'] : []),
  ]
  return [...media, ...(databaseUrl === null ? ofSqlite : [])].map((name) => join(dataDir, name))
}

function isUsable(path: string): boolean {
  const { R_OK, W_OK, X_OK } = constants
  return canUse(path, isFolder(path) ? R_OK | W_OK | X_OK : path.includes('/secrets/') ? R_OK : R_OK | W_OK)
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** The owner and group of the data folder if it is this user's, and not root's with rights for a group. */
function findTarget(dataDir: string): { uid: number; gid: number } {
  const own = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  const folder = findIds(dataDir)
  return folder?.uid === own.uid ? folder : own
}
