import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import Sqlite from 'better-sqlite3'
import { Value } from 'typebox/value'
import { BackupName } from '../../contract/instance/backups.ts'
import { openSqliteFile, type SqliteFile } from '../platform/database/sqlite-file.ts'
import { formatGiveFolder } from '../platform/process/owner-lines.ts'
import { isoTime } from '../platform/time/clock.ts'
import { syncFolder } from './content-store.ts'

// `files/` has the contents of all backups. Each backup has a folder with `proofroom.db`, `files.jsonl`, optionally
// `secrets/`, and `manifest.json`, which is written last.

export const manifestFile = 'manifest.json'
export const databaseFile = 'proofroom.db'
export const listFile = 'files.jsonl'
export const secretsFolder = 'secrets'

/** An expected failure of a backup or a restore. The message is for the operator. */
export class BackupProblem extends Error {
  readonly failureCode: string
  constructor(failureCode: string, message: string) {
    super(message)
    this.name = 'BackupProblem'
    this.failureCode = failureCode
  }
}

export const formatBackupName = (now: number): string => isoTime(now).replaceAll(':', '-')

/**
 * Returns the function that releases the lock; the end of the process releases it, too. Throws BackupProblem if another
 * backup holds the lock.
 */
export function lockFolder(folder: string): () => void {
  const lock = new Sqlite(join(folder, 'lock'), { timeout: 0 })
  try {
    lock.pragma('journal_mode = memory')
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
    throw new BackupProblem('under_way', `Another backup to ${folder} is in progress.`)
  }
  return () => lock.close()
}

/** Returns the names of the complete backups, oldest first. */
export async function listBackups(folder: string): Promise<string[]> {
  const complete: string[] = []
  for (const name of await readBackupNames(folder)) if (await isComplete(folder, name)) complete.push(name)
  return complete
}

/** Removes incomplete backups. Their contents stay in `files/`, so the next backup does not copy them again. */
export async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readBackupNames(folder))
    if (!(await isComplete(folder, name))) await removeBackup(folder, name)
}

/** Removes the manifest first, so that an interrupted removal leaves an incomplete backup. */
export async function removeBackup(folder: string, name: string): Promise<void> {
  await rm(join(folder, name, manifestFile), { force: true })
  await rm(join(folder, name), { recursive: true, force: true })
}

/** Passes a SQLite file to `work`, which may read it or, without `readonly`, change it. */
export async function withSqliteFile<T>(
  file: string,
  options: { readonly?: boolean },
  work: (copy: SqliteFile) => Promise<T>,
): Promise<T> {
  const copy = openSqliteFile(file, options)
  try {
    return await work(copy)
  } finally {
    await copy.close()
  }
}

/** Writes a temporary file and renames it, so that the file at `path` is always complete. */
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

export async function digestFile(path: string): Promise<{ sha256: string; size_bytes: number }> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 2 ** 20 }), hash)
  return { sha256: hash.digest('hex'), size_bytes: (await stat(path)).size }
}

async function readBackupNames(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(({ code }: NodeJS.ErrnoException) => {
    const line = formatGiveFolder(folder, { recursive: true })
    const fix = code === 'EACCES' ? ` Give the backups to this user: ${line}` : ' Name the folder of the backups.'
    throw new BackupProblem('no_backup', `Cannot read the folder ${folder} (${code}).${fix}`)
  })
  return names.filter((name) => Value.Check(BackupName, name)).sort()
}

const isComplete = async (folder: string, name: string): Promise<boolean> =>
  (await stat(join(folder, name, manifestFile)).catch(() => null))?.isFile() ?? false

/** Returns null for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
