import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { BackupFile, BackupManifest } from '../../contract/instance/backups.ts'
import { mapConcurrent } from '../platform/background/map-concurrent.ts'
import { openDatabase } from '../platform/database/open-database.ts'
import { createDiskStorage } from '../platform/storage/disk-storage.ts'
import type { Storage } from '../platform/storage/storage.ts'
import type { StoredFile, StoredFiles } from '../settings/belongings.ts'
import { databaseFile, withSqliteFile } from './backup-folder.ts'
import { type ContentStore, createContentStore } from './content-store.ts'
import { readEncryptedSecrets } from './encrypted-secrets.ts'
import { listedInBackups, listFiles } from './named-files.ts'
import { type BackupChoice, openBackup } from './open-backup.ts'
import { listBackupContents, listBackupFiles } from './read-file-list.ts'
import { restoreFile } from './restore-file.ts'
import { hashStoredFile } from './stored-sizes.ts'

const maxConcurrentFiles = 4
const maxListedProblems = 100

export type VerifyOptions = BackupChoice & {
  storedFiles: readonly StoredFiles[]
  /** A folder with space for the database and a few media files. */
  scratch: string
  /** If it is given, encrypted secrets are decrypted with it. */
  passphrase?: string | null
  onProgress?: (progress: { files: number; totalFiles: number }) => void
}

export type VerificationResult = {
  path: string
  manifest: BackupManifest
  files: number
  problemCount: number
  problems: string[]
}

/**
 * Restores a backup to a scratch folder and compares it with the manifest, the rows and the hashes. Each file is
 * removed after its check to save space. Throws BackupProblem if the backup cannot be opened.
 */
export async function verifyBackup(options: VerifyOptions): Promise<VerificationResult> {
  const { folder, onProgress = () => undefined } = options
  const { path, manifest } = await openBackup(options)
  const scratch = await mkdtemp(join(options.scratch, 'proofroom-verify-'))
  const storage = createDiskStorage(join(scratch, 'media'))
  const verification: VerificationResult = { path, manifest, files: 0, problemCount: 0, problems: [] }
  const onProblem = (text: string) => {
    if (++verification.problemCount <= maxListedProblems) verification.problems.push(text)
  }
  try {
    await verifySecrets(path, manifest, options.passphrase ?? null, onProblem)
    await verifyRows(path, join(scratch, databaseFile), manifest, options, onProblem)
    const onFile = () => onProgress({ files: ++verification.files, totalFiles: manifest.files.count })
    await verifyFiles(storage, createContentStore(folder), path, { onFile, onProblem })
    return verification
  } finally {
    await storage.close()
    await rm(scratch, { recursive: true, force: true })
  }
}

async function verifySecrets(
  path: string,
  { has_encrypted_secrets }: BackupManifest,
  passphrase: string | null,
  onProblem: (text: string) => void,
): Promise<void> {
  if (!has_encrypted_secrets || passphrase === null) return
  await readEncryptedSecrets(path, passphrase).catch((error: Error) => onProblem(error.message))
}

async function verifyRows(
  path: string,
  scratchFile: string,
  manifest: BackupManifest,
  { migrations, storedFiles }: VerifyOptions,
  onProblem: (text: string) => void,
): Promise<void> {
  await copyFile(join(path, databaseFile), scratchFile)
  await withSqliteFile(scratchFile, {}, async (copy) => {
    for (const damage of copy.findDamage()) onProblem(`The database is damaged: ${damage}.`)
    if (!isDeepStrictEqual(copy.countRows(), manifest.database.rows)) {
      onProblem('The row counts of the tables differ from the manifest.')
    }
  })
  // Migrates the copy, as the service does at its start after a restore: the backup may be of an older version.
  const opened = await openDatabase({ file: scratchFile }, migrations)
  await opened.close()
  await withSqliteFile(scratchFile, { readonly: true }, (copy) =>
    compareFilesWithRows(listFiles(listedInBackups(storedFiles), copy.db), path, onProblem),
  )
}

/** Reports a problem unless the list has exactly one matching line for each file of the rows, in the same order. */
async function compareFilesWithRows(
  named: AsyncGenerator<StoredFile[]>,
  path: string,
  onProblem: (text: string) => void,
): Promise<void> {
  const listed = listBackupFiles(path)
  try {
    for await (const page of named) {
      for (const mediaFile of page) {
        const { value: file } = await listed.next()
        if (file && matchesRow(mediaFile, file)) continue
        onProblem(`The file list differs from the rows, starting at ${mediaFile.key}.`)
        return
      }
    }
    if (!(await listed.next()).done) onProblem('The file list has more entries than the rows.')
  } finally {
    await listed.return()
  }
}

function matchesRow({ key, sizeBytes, contentHash }: StoredFile, file: BackupFile): boolean {
  if (file.key !== key) return false
  const hasRowContent = file.size === sizeBytes && (contentHash === null || file.hash === contentHash)
  return file.state === 'kept'
    ? file.hash !== null && hasRowContent
    : (file.state === 'damaged') === (file.hash !== null)
}

async function verifyFiles(
  storage: Storage,
  store: ContentStore,
  path: string,
  { onFile, onProblem }: { onFile: () => void; onProblem: (text: string) => void },
): Promise<void> {
  for await (const batch of listBackupContents(path)) {
    await mapConcurrent(batch, maxConcurrentFiles, async (file) => {
      const isIntact =
        (await restoreFile(storage, store, file)) && (await hashStoredFile(storage, file.key)) === file.hash
      if (!isIntact)
        onProblem(
          `${store.pathOf(file.hash)}, the content of ${file.key}, is missing or damaged. Delete the file if it exists; the next backup copies it again.`,
        )
      await storage.remove(file.key)
      onFile()
    })
  }
}
