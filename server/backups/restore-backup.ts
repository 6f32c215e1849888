import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Migration } from 'kysely/migration'
import type { BackupManifest } from '../../contract/backups.ts'
import { eventsPrefix } from '../events/event-rules.ts'
import { sideBySide } from '../platform/background/side-by-side.ts'
import type { DatabasePlace } from '../platform/database/open-database.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { logoPrefix } from '../settings/store-logo.ts'
import { openBackup, writeDurably } from './backup-folder.ts'
import { BackupProblem } from './backup-problem.ts'
import { checkBackup } from './check-backup.ts'
import { type ContentStore, createContentStore } from './content-store.ts'
import { restoreSecrets } from './kept-secrets.ts'
import { contentsOf, type FileWithContent } from './listed-files.ts'
import { ensureNoDatabase, isRestored, restoreDatabase } from './restore-database.ts'
import { restoreFile } from './restore-file.ts'

const filesAtOnce = 6

/** The target must be empty. */
export type RestoreTarget = { dataDir: string; place: DatabasePlace; storage: Storage }

export type RestoreOptions = {
  folder: string
  name?: string | undefined
  migrations: Record<string, Migration>
  onProgress?: (progress: { files: number; totalFiles: number }) => void
}

export type Restored = {
  path: string
  manifest: BackupManifest
  files: number
  /** Keys of files whose content is missing or damaged in the backup. */
  unreadable: string[]
}

/**
 * Restores a backup into an empty target or continues an interrupted restore. The database comes last, so that no
 * service can start on a partial restore. Throws BackupProblem.
 */
export async function restoreBackup(target: RestoreTarget, options: RestoreOptions): Promise<Restored> {
  const { dataDir, place, storage } = target
  const { folder, name, migrations, onProgress = () => undefined } = options
  const { path, manifest } = await openBackup(folder, name)
  await checkBackup(path, manifest, Object.keys(migrations))
  const rows = { path, sha256: manifest.database.sha256, place, dataDir, migrations }
  const mark = join(dataDir, 'restoring.json')
  const wanted = JSON.stringify({ name: manifest.name, files: manifest.files.sha256 })
  const isGoneOnWith = (await readFile(mark, 'utf8').catch(() => null)) === wanted
  if (!isGoneOnWith) await ensureEmpty(storage, manifest)
  const hasRows = isGoneOnWith && (await isRestored(rows))
  if (!hasRows) await ensureNoDatabase(rows)
  await mkdir(dataDir, { recursive: true })
  await writeDurably(mark, wanted)

  const totalFiles = manifest.files.count
  const onFiles = (files: number) => onProgress({ files, totalFiles })
  const unreadable = await restoreFiles(storage, createContentStore(folder), path, isGoneOnWith, onFiles)
  if (manifest.has_secrets) await restoreSecrets(path, dataDir)
  if (!hasRows) await restoreDatabase(rows)
  await rm(mark)
  return { path, manifest, files: totalFiles - unreadable.length, unreadable }
}

async function ensureEmpty(storage: Storage, { files }: BackupManifest): Promise<void> {
  for (const prefix of [eventsPrefix, logoPrefix]) {
    for await (const _file of storage.list(prefix)) {
      throw new BackupProblem('not_empty', 'The storage has photos in it already.')
    }
  }
  const { isEndless, freeBytes, reservedBytes } = await storage.space()
  if (isEndless || freeBytes - reservedBytes > files.size_bytes) return
  throw new BackupProblem('no_room', `There is not room enough for the files of the backup, ${files.size_bytes} bytes.`)
}

async function restoreFiles(
  storage: Storage,
  store: ContentStore,
  path: string,
  isGoneOnWith: boolean,
  onFiles: (files: number) => void,
): Promise<string[]> {
  const isThere = isGoneOnWith ? createPresence(storage) : async () => false
  const unreadable: string[] = []
  let files = 0
  for await (const some of contentsOf(path)) {
    await sideBySide(some, filesAtOnce, async (file) => {
      const isWhole = (await isThere(file)) || (await restoreFile(storage, store, file))
      if (!isWhole) unreadable.push(file.key)
      onFiles(++files)
    })
  }
  return unreadable
}

/** Compares sizes, because stored files are always complete. Files of one event are adjacent in the list. */
function createPresence(storage: Storage): (file: FileWithContent) => Promise<boolean> {
  let prefix = ''
  let listing: Promise<Map<string, number>> = Promise.resolve(new Map())
  return async ({ key, size }) => {
    const own = key.split('/').slice(0, -2).join('/') || (key.split('/')[0] ?? '')
    if (own !== prefix) {
      prefix = own
      listing = sizesIn(storage, own)
    }
    return (await listing).get(key) === size
  }
}

async function sizesIn(storage: Storage, prefix: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  for await (const { key, sizeBytes } of storage.list(prefix)) sizes.set(key, sizeBytes)
  return sizes
}
