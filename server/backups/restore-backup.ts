import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupManifest } from '../../contract/backups.ts'
import { eventsPrefix } from '../events/event-rules.ts'
import { mapConcurrent } from '../platform/background/map-concurrent.ts'
import type { DatabaseLocation } from '../platform/database/open-database.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { logoPrefix } from '../settings/store-logo.ts'
import { BackupProblem, writeDurably } from './backup-folder.ts'
import { type ContentStore, createContentStore } from './content-store.ts'
import { listBackupContents } from './list-backup-files.ts'
import { type BackupChoice, openBackup } from './open-backup.ts'
import { ensureNoDatabase, isRestored, restoreDatabase } from './restore-database.ts'
import { restoreFile } from './restore-file.ts'
import { createSizeLookup } from './stored-files.ts'
import { restoreSecrets } from './stored-secrets.ts'

const maxConcurrentFiles = 6

export type RestoreTarget = { dataDir: string; place: DatabaseLocation; storage: Storage }

export type RestoreOptions = BackupChoice & {
  onProgress?: (progress: { files: number; totalFiles: number }) => void
}

export type RestoreResult = {
  path: string
  manifest: BackupManifest
  files: number
  /** Keys of files whose content is missing or damaged in the backup. */
  unreadable: string[]
}

/**
 * Restores a backup into an empty target or continues an interrupted restore. The database comes last, so that its rows
 * do not exist before their files. Throws BackupProblem and DatabaseNotEmpty.
 */
export async function restoreBackup(target: RestoreTarget, options: RestoreOptions): Promise<RestoreResult> {
  const { dataDir, place, storage } = target
  const { folder, migrations, onProgress = () => undefined } = options
  const { path, manifest } = await openBackup(options)
  const rows = { path, sha256: manifest.database.sha256, place, dataDir, migrations }
  const markerFile = join(dataDir, 'restoring.json')
  const marker = JSON.stringify({ name: manifest.name, files: manifest.files.sha256 })
  const isResumed = (await readFile(markerFile, 'utf8').catch(() => null)) === marker
  if (!isResumed) await assertEmptyStorage(storage, manifest)
  const hasRows = isResumed && (await isRestored(rows))
  if (!hasRows) await ensureNoDatabase(rows)
  await mkdir(dataDir, { recursive: true })
  await writeDurably(markerFile, marker)

  const totalFiles = manifest.files.count
  const onFiles = (files: number) => onProgress({ files, totalFiles })
  const unreadable = await restoreFiles(storage, createContentStore(folder), path, isResumed, onFiles)
  if (manifest.has_secrets) await restoreSecrets(path, dataDir)
  if (!hasRows) await restoreDatabase(rows)
  await rm(markerFile)
  return { path, manifest, files: totalFiles - unreadable.length, unreadable }
}

async function assertEmptyStorage(storage: Storage, { files }: BackupManifest): Promise<void> {
  for (const prefix of [eventsPrefix, logoPrefix]) {
    for await (const _file of storage.list(prefix)) {
      throw new BackupProblem('not_empty', 'The storage already contains photos.')
    }
  }
  const { isUnlimited, freeBytes, reservedBytes } = await storage.space()
  if (isUnlimited || freeBytes - reservedBytes > files.size_bytes) return
  throw new BackupProblem(
    'no_room',
    `There is not enough space for the files of the backup (${files.size_bytes} bytes).`,
  )
}

async function restoreFiles(
  storage: Storage,
  store: ContentStore,
  path: string,
  isResumed: boolean,
  onFiles: (files: number) => void,
): Promise<string[]> {
  // A file with the right size is not restored again, because stored files are always complete.
  const storedSize = isResumed ? createSizeLookup(storage) : async () => undefined
  const unreadable: string[] = []
  let files = 0
  for await (const batch of listBackupContents(path)) {
    await mapConcurrent(batch, maxConcurrentFiles, async (file) => {
      const isIntact = (await storedSize(file.key)) === file.size || (await restoreFile(storage, store, file))
      if (!isIntact) unreadable.push(file.key)
      onFiles(++files)
    })
  }
  return unreadable
}
