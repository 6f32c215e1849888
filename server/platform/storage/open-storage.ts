import { join } from 'node:path'
import { type Config, ConfigProblems } from '../configuration/config.ts'
import { prepareDataFolder } from '../process/data-folder.ts'
import { createDiskStorage } from './disk-storage.ts'
import { type Storage, StorageRejected } from './storage.ts'

/**
 * Throws ConfigProblems for a folder that cannot be made, and for a bucket that is unknown or denies access. A store
 * that is temporarily unreachable does not prevent the start.
 */
export async function openStorage({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): Promise<Storage> {
  const mediaRoot = join(dataDir, 'media')
  await prepareDataFolder(dataDir)
  if (!s3) return createDiskStorage(mediaRoot)
  // Imported only for a bucket, because it takes time and memory to load.
  const { createS3Storage } = await import('./s3-storage.ts')
  const storage = createS3Storage(s3, join(mediaRoot, 'staging'))
  try {
    await storage.check()
  } catch (error) {
    if (!(error instanceof StorageRejected)) return storage
    await storage.close()
    throw new ConfigProblems([`S3_BUCKET cannot be used: ${error.message}`])
  }
  return storage
}
