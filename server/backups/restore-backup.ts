import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupManifest } from '../../contract/instance/backups.ts'
import { eventsPrefix } from '../events/event-rules.ts'
import { mapConcurrent } from '../platform/background/map-concurrent.ts'
import type { DatabaseLocation } from '../platform/database/open-database.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { logoPrefix } from '../settings/store-logo.ts'
import { BackupProblem, writeDurably } from './backup-folder.ts'
import { type ContentStore, createContentStore } from './content-store.ts'
import { readEncryptedSecrets } from './encrypted-secrets.ts'
import { type BackupChoice, openBackup } from './open-backup.ts'
import { listBackupContents } from './read-file-list.ts'
import { ensureNoDatabase, isRestored, restoreDatabase } from './restore-database.ts'
import { restoreFile } from './restore-file.ts'
import { readStoredSecrets, restoreSecrets, type StoredSecrets } from './stored-secrets.ts'
import { createSizeLookup } from './stored-sizes.ts'

const maxConcurrentFiles = 6

export type RestoreTarget = { dataDir: string; place: DatabaseLocation; storage: Storage }

export type RestoreOptions = BackupChoice & {
  /** BACKUP_PASSPHRASE, for a backup with encrypted secrets. */
  passphrase?: string | null
  /** Restores a backup with encrypted secrets without them. */
  withoutSecrets?: boolean
  /** Called before anything is written. */
  onBegin?: (preview: RestorePreview) => Promise<void> | void
  onProgress?: (progress: { files: number; totalFiles: number }) => void
}

export type RestorePreview = {
  path: string
  manifest: BackupManifest
  /** The secrets that will be restored; null if the backup has none, or not for this restore. */
  secrets: StoredSecrets | null
  /** Keys of files whose content the backup has lost. */
  lost: string[]
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
  const { folder, migrations, onProgress = () => undefined, onBegin = () => undefined } = options
  const { path, manifest } = await openBackup(options)
  const secrets = await readBackupSecrets(path, manifest, options)
  const store = createContentStore(folder)
  const rows = { path, sha256: manifest.database.sha256, place, dataDir, migrations }
  const markerFile = join(dataDir, 'restoring.json')
  const marker = JSON.stringify({ name: manifest.name, files: manifest.files.sha256 })
  const isResumed = (await readFile(markerFile, 'utf8').catch(() => null)) === marker
  if (!isResumed) await assertEmptyStorage(storage, manifest)
  const hasRows = isResumed && (await isRestored(rows))
  if (!hasRows) await ensureNoDatabase(rows)
  await onBegin({ path, manifest, secrets, lost: await findLostContents(store, path) })
  await mkdir(dataDir, { recursive: true })
  await writeDurably(markerFile, marker)

  const totalFiles = manifest.files.count
  const onFiles = (files: number) => onProgress({ files, totalFiles })
  const unreadable = await restoreFiles(storage, store, path, isResumed, onFiles)
  if (secrets !== null) await restoreSecrets(secrets, dataDir)
  if (!hasRows) await restoreDatabase(rows)
  await rm(markerFile)
  return { path, manifest, files: totalFiles - unreadable.length, unreadable }
}

/** Throws BackupProblem if the secrets are encrypted, and cannot be decrypted. */
async function readBackupSecrets(
  path: string,
  manifest: BackupManifest,
  { passphrase = null, withoutSecrets = false }: RestoreOptions,
): Promise<StoredSecrets | null> {
  if (manifest.has_secrets) return readStoredSecrets(path)
  if (!manifest.has_encrypted_secrets || withoutSecrets) return null
  if (passphrase !== null) return readEncryptedSecrets(path, passphrase)
  const text =
    'The secrets in this backup are encrypted. Set BACKUP_PASSPHRASE to the passphrase with which it was made, or use --without-secrets.'
  throw new BackupProblem('no_passphrase', text)
}

/** Reads no content: a file that is missing or has another size is lost. */
async function findLostContents(store: ContentStore, path: string): Promise<string[]> {
  const lost: string[] = []
  for await (const batch of listBackupContents(path)) {
    await mapConcurrent(batch, maxConcurrentFiles, async ({ key, hash, size }) => {
      if (!(await store.has(hash, size))) lost.push(key)
    })
  }
  return lost
}

async function assertEmptyStorage(storage: Storage, { files }: BackupManifest): Promise<void> {
  for (const prefix of [eventsPrefix, logoPrefix]) {
    for await (const _file of storage.list(prefix)) {
      throw new BackupProblem('not_empty', 'The storage already contains photos. Name an empty DATA_DIR or bucket.')
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
