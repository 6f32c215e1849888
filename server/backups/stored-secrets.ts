import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Secrets } from '../platform/security/secrets.ts'
import { secretsFolder } from './backup-folder.ts'
import { syncFolder } from './content-store.ts'

const fileNames = { jwtSecret: 'jwt-secret', encryptionKey: 'encryption-key' } as const

export async function storeSecrets(folder: string, secrets: Secrets): Promise<void> {
  const path = join(folder, secretsFolder)
  await mkdir(path, { recursive: true, mode: 0o700 })
  await chmod(path, 0o700)
  for (const [name, fileName] of Object.entries(fileNames)) {
    await rm(join(path, fileName), { force: true })
    await writeFile(join(path, fileName), secrets[name as keyof Secrets], { mode: 0o600, flush: true, flag: 'wx' })
  }
  await syncFolder(path)
}

export type StoredSecrets = { [name in keyof Secrets]: string | null }

/** Writes the secrets to `DATA_DIR/secrets`. Existing files are not overwritten. */
export async function restoreSecrets(stored: StoredSecrets, dataDir: string): Promise<void> {
  const path = join(dataDir, secretsFolder)
  await mkdir(path, { recursive: true, mode: 0o700 })
  for (const [name, fileName] of Object.entries(fileNames)) {
    const value = stored[name as keyof Secrets]
    if (value === null) continue
    await writeFile(join(path, fileName), value, { mode: 0o600, flush: true, flag: 'wx' }).catch(ignoreIfExists)
  }
  await syncFolder(path)
}

/** A secret is null if its file does not exist. */
export async function readStoredSecrets(folder: string): Promise<StoredSecrets> {
  const read = (fileName: string) =>
    readFile(join(folder, secretsFolder, fileName), 'utf8').then(
      (text) => text.trim(),
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null
        throw error
      },
    )
  return { jwtSecret: await read(fileNames.jwtSecret), encryptionKey: await read(fileNames.encryptionKey) }
}

function ignoreIfExists(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
