import { constants, existsSync } from 'node:fs'
import { access, mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Value } from 'typebox/value'
import { BackupName } from '../../contract/instance/backups.ts'
import { canUse, findIds, findUserName } from '../platform/process/data-owner.ts'
import { formatCreateFolder, formatGiveFolder } from '../platform/process/owner-lines.ts'
import { BackupProblem } from './backup-folder.ts'

/** Allowed entries that are not backups. The file system of a new disk creates `lost+found`. */
const sharedNames = ['files', 'staging', 'lock', 'lost+found']

/**
 * Creates the folder, but no parent folders, because its disk may not be mounted. Throws BackupProblem, with what to do, if
 * it cannot be created, read and written, and if it contains other files or links.
 */
export async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    const text = describeMissing(folder, error.code)
    if (text !== null) throw new BackupProblem('no_folder', text)
    if (error.code !== 'EEXIST') throw error
  })
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EACCES') throw new BackupProblem('EACCES', describeUnreadable(folder))
    if (error.code !== 'ENOTDIR') throw error
    throw new BackupProblem('no_folder', `${folder} is not a folder.`)
  })
  const names = entries.map(({ name }) => name)
  const other = names.find((name) => !sharedNames.includes(name) && !Value.Check(BackupName, name))
  if (other !== undefined) {
    const text = `${folder} contains entries that are not backups, such as ${other}. Name a new folder, such as ${join(folder, 'proofroom')}.`
    throw new BackupProblem('not_a_backup_folder', text)
  }
  const link = entries.find((entry) => entry.isSymbolicLink())
  if (link) throw new BackupProblem('not_a_backup_folder', describeLink(join(folder, link.name)))
  await assertWritable(
    folder,
    names.filter((name) => name !== 'lost+found'),
  )
}

async function assertWritable(folder: string, names: string[]): Promise<void> {
  await access(folder, constants.W_OK).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EROFS') throw new BackupProblem('EROFS', describeReadOnly(folder))
  })
  const { R_OK, W_OK } = constants
  const foreign = [folder, ...names.map((name) => join(folder, name))].find((path) => !canUse(path, R_OK | W_OK))
  if (foreign === undefined) return
  const text = `${describeForeign(foreign)}. Run: ${formatGiveFolder(folder, { recursive: true })}`
  throw new BackupProblem('EACCES', text)
}

/** Returns what to do about a folder that cannot be created; null for other errors. */
function describeMissing(folder: string, code: string | undefined): string | null {
  const parent = dirname(folder)
  if (code === 'ENOENT' && existsSync(parent)) return `Cannot create a folder in ${parent}. Name another folder.`
  if (code === 'ENOENT') {
    return `The folder ${parent} does not exist. If it is on a disk that is not mounted, mount it. Otherwise run: ${formatCreateFolder(folder)}`
  }
  if (code === 'EACCES') {
    return `The user ${getUserName()} may not create a folder in ${parent}. Run: ${formatCreateFolder(folder)}`
  }
  return code === 'EROFS' ? describeReadOnly(parent) : null
}

/** A backup removes and writes files below these names. */
const describeLink = (path: string): string =>
  `${path} is a symbolic link, which is not followed. Remove it, or name another folder.`

const describeForeign = (path: string): string =>
  `The user ${getUserName()} cannot use ${path} (of ${findUserName(findIds(path)?.uid ?? 0)})`

/** The line changes the owner of the folder only, because the folder may have other files. */
function describeUnreadable(folder: string): string {
  const line = formatGiveFolder(folder, { recursive: false })
  return `${describeForeign(folder)}. Name another folder, or if it is for the backups alone, run: ${line}`
}

const describeReadOnly = (path: string): string =>
  `${path} is read-only. Mount it for writing. In a unit of systemd, name the folder of the backups in ReadWritePaths.`

const getUserName = (): string => findUserName(process.getuid?.() ?? 0)
