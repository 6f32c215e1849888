import { join } from 'node:path'
import type { BackupManifest } from '../../contract/backups.ts'
import { openSqliteFile } from '../platform/database/sqlite-file.ts'
import { databaseFile, digestFile, listFile } from './backup-folder.ts'
import { BackupProblem } from './backup-problem.ts'

/** Throws BackupProblem if the database or the file list is damaged, or if a newer version made the backup. */
export async function checkBackup(path: string, manifest: BackupManifest, known: readonly string[]): Promise<void> {
  for (const [file, sha256] of [
    [databaseFile, manifest.database.sha256],
    [listFile, manifest.files.sha256],
  ] as const) {
    const found = await digestFile(join(path, file)).catch(() => null)
    if (found?.sha256 !== sha256) throw new BackupProblem('damaged', `${join(path, file)} is not as it was written.`)
  }
  const copy = openSqliteFile(join(path, databaseFile), { readonly: true })
  const isNewer = copy.migrations().some((name) => !known.includes(name))
  await copy.close()
  if (!isNewer) return
  const text = `The backup was made by version ${manifest.version}, which is newer than this one.`
  throw new BackupProblem('newer_version', text)
}
