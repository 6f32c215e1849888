import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Migration } from 'kysely/migration'
import { Value } from 'typebox/value'
import { BackupManifest } from '../../contract/instance/backups.ts'
import {
  BackupProblem,
  databaseFile,
  digestFile,
  listBackups,
  listFile,
  manifestFile,
  parseJson,
  withSqliteFile,
} from './backup-folder.ts'

export type BackupChoice = {
  folder: string
  /** By default the newest complete backup. */
  name?: string | undefined
  migrations: Record<string, Migration>
}

/**
 * Throws BackupProblem if there is no such backup, if its manifest, database or file list is damaged, or if a newer
 * version of the service has made it.
 */
export async function openBackup(backup: BackupChoice): Promise<{ path: string; manifest: BackupManifest }> {
  const { folder, name, migrations } = backup
  const complete = await listBackups(folder)
  const found = name === undefined ? complete.at(-1) : complete.find((one) => one === name)
  if (found === undefined) {
    const which = name === undefined ? 'no complete backup' : 'no complete backup of that name'
    throw new BackupProblem('no_backup', `There is ${which} in ${folder}.`)
  }
  const path = join(folder, found)
  const manifest = parseJson(await readFile(join(path, manifestFile), 'utf8'))
  if (!Value.Check(BackupManifest, manifest)) {
    const text = `Cannot read the manifest of ${path}: it is damaged or belongs to a newer version.`
    throw new BackupProblem('not_understood', text)
  }
  await assertIntact(path, manifest)
  const applied = await withSqliteFile(join(path, databaseFile), { readonly: true }, async (copy) => copy.migrations())
  if (applied.some((migration) => !Object.hasOwn(migrations, migration))) {
    const text = `The backup was made by version ${manifest.version}, which is newer than this version.`
    throw new BackupProblem('newer_version', text)
  }
  return { path, manifest }
}

async function assertIntact(path: string, { database, files }: BackupManifest): Promise<void> {
  for (const [name, sha256] of [
    [databaseFile, database.sha256],
    [listFile, files.sha256],
  ] as const) {
    const file = join(path, name)
    const found = await digestFile(file).catch(() => null)
    if (found?.sha256 !== sha256) throw new BackupProblem('damaged', `${file} is damaged: its checksum does not match.`)
  }
}
