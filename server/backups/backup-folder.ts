import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import Sqlite from 'better-sqlite3'
import { Value } from 'typebox/value'
import { BackupManifest, BackupName } from '../../contract/backups.ts'
import { isoTime } from '../platform/clock.ts'
import { BackupProblem } from './backup-problem.ts'
import { syncFolder } from './content-store.ts'

// A folder of backups: `files/` with the contents of all of them, and beside it one folder for each, called after its
// moment, with `proofroom.db`, `files.jsonl`, at times `secrets/`, and `manifest.json`, which comes last.

export const manifestFile = 'manifest.json'
export const databaseFile = 'proofroom.db'
export const listFile = 'files.jsonl'
export const secretsFolder = 'secrets'

/** The last is what a fresh disk brings along. */
const shared = ['files', 'staging', 'lock', 'lost+found']

export const backupNameOf = (now: number): string => isoTime(now).replaceAll(':', '-')

/**
 * Makes the folder where it is missing, but none above it: where a disk should be that is not mounted nothing must be
 * filled. Throws BackupProblem, also for a folder with other things in it.
 */
export async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return
    if (error.code !== 'ENOENT') throw error
    throw new BackupProblem('no_folder', `There is no folder ${dirname(folder)}, or none can be made in it.`)
  })
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTDIR') throw error
    throw new BackupProblem('no_folder', `${folder} is not a folder.`)
  })
  const foreign = names.filter((name) => !shared.includes(name) && !Value.Check(BackupName, name))
  if (foreign.length > 0)
    throw new BackupProblem(
      'not_a_backup_folder',
      `${folder} has other things than backups in it, such as ${foreign[0]}.`,
    )
}

/**
 * Of one process alone, however that ends: the lock is one of the system, on an empty database. Answers what lets go
 * of it. Throws BackupProblem.
 */
export function lockFolder(folder: string): () => void {
  const lock = new Sqlite(join(folder, 'lock'), { timeout: 0 })
  try {
    lock.pragma('journal_mode = memory')
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
    throw new BackupProblem('under_way', `Another backup is being made in ${folder}.`)
  }
  return () => lock.close()
}

/** The names of those that are complete, the oldest first. */
export async function listBackups(folder: string): Promise<string[]> {
  const complete: string[] = []
  for (const name of await namesIn(folder)) if (await isComplete(folder, name)) complete.push(name)
  return complete
}

/** Removes what runs that came to no end have left. Their contents stay, and need not be copied again. */
export async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) if (!(await isComplete(folder, name))) await removeBackup(folder, name)
}

/** The manifest first: from then on it counts as none. */
export async function removeBackup(folder: string, name: string): Promise<void> {
  await rm(join(folder, name, manifestFile), { force: true })
  await rm(join(folder, name), { recursive: true, force: true })
}

/** A complete backup: the newest, unless it is named. Throws BackupProblem. */
export async function openBackup(folder: string, name?: string): Promise<{ path: string; manifest: BackupManifest }> {
  const complete = await listBackups(folder)
  const found = name === undefined ? complete.at(-1) : complete.find((one) => one === name)
  if (found === undefined) {
    const which = name === undefined ? 'no complete backup' : 'no complete backup of that name'
    throw new BackupProblem('no_backup', `There is ${which} in ${folder}.`)
  }
  const path = join(folder, found)
  const manifest = parsed(await readFile(join(path, manifestFile), 'utf8'))
  if (!Value.Check(BackupManifest, manifest)) {
    throw new BackupProblem(
      'not_understood',
      `The manifest of ${path} is not understood: it is damaged, or of a newer version.`,
    )
  }
  return { path, manifest }
}

/** Under another name first: there is none or a whole one, whatever happens. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const draft = `${path}.part`
  const handle = await open(draft, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, path)
  await syncFolder(dirname(path))
}

/** SHA-256 and length, as `sha256sum` has it. */
export async function digestFile(path: string): Promise<{ sha256: string; size_bytes: number }> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 2 ** 20 }), hash)
  return { sha256: hash.digest('hex'), size_bytes: (await stat(path)).size }
}

async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => {
    throw new BackupProblem('no_backup', `There is no folder ${folder} that can be read.`)
  })
  return names.filter((name) => Value.Check(BackupName, name)).sort()
}

const isComplete = (folder: string, name: string): Promise<boolean> =>
  stat(join(folder, name, manifestFile)).then(
    (found) => found.isFile(),
    () => false,
  )

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
