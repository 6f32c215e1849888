import { openZip } from '../../archives/read-zip.ts'
import type { S3Config } from '../../platform/configuration/config.ts'
import { S3Objects } from '../../platform/storage/s3-objects.ts'
import { createReaderStream, openS3Reader } from '../../platform/storage/s3-reader.ts'
import { StorageUnavailable } from '../../platform/storage/storage.ts'
import { t } from '../../platform/text/command-messages.ts'
import { SourceUnusable } from './source-database.ts'
import { type SourceFiles, toSourceZip } from './source-files.ts'

/** Keys in the bucket are the paths in a storage folder. Throws SourceUnusable if the bucket cannot be read. */
export async function openSourceBucket(s3: S3Config): Promise<SourceFiles> {
  const objects = new S3Objects(s3)
  const findSize = async (key: string) => (isPlainKey(key) ? objects.findSize(key) : null)
  const openRange = async (key: string, sizeBytes: number, range?: { start: number; end: number }) =>
    createReaderStream(await openS3Reader(objects, key, range, sizeBytes))
  await assertReadable(objects, s3)

  return {
    async find(path) {
      const key = toKey(path)
      const sizeBytes = await findSize(key)
      if (sizeBytes === null) return null
      return { place: null, sizeBytes, crc32: null, open: () => openRange(key, sizeBytes) }
    },
    async openZip(path) {
      const key = toKey(path)
      const sizeBytes = await findSize(key)
      if (sizeBytes === null) return null
      const remote = {
        sizeBytes,
        openRange: (range: { start: number; end: number }) => openRange(key, sizeBytes, range),
      }
      return openZip(remote).then(toSourceZip, (error) => {
        if (error instanceof StorageUnavailable) throw error
        return null
      })
    },
    close: () => objects.close(),
  }
}

/** A bucket without any object below the prefix is not that of PicPeak. */
async function assertReadable(objects: S3Objects, { bucket, prefix }: S3Config): Promise<void> {
  try {
    await objects.check()
    for await (const _first of objects.list('events')) return
  } catch (error) {
    objects.close()
    throw new SourceUnusable(t('bucketUnreadable', { bucket, problem: (error as Error).message }))
  }
  objects.close()
  throw new SourceUnusable(t('bucketEmpty', { prefix, bucket }))
}

/** PicPeak stores paths with slashes, without one at the start. */
const toKey = (path: string): string => path.replaceAll('\\', '/').replace(/^(\.?\/)+/, '')

const isPlainKey = (key: string): boolean =>
  !key.includes('\0') && key.split('/').every((segment) => !['', '.', '..'].includes(segment))
