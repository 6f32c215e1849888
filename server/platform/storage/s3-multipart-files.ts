import { open } from 'node:fs/promises'
import { createBlockDigests } from './digest-blocks.ts'
import type { Downloader } from './s3-downloader.ts'
import type { S3Objects } from './s3-objects.ts'
import { isNoSuchUpload, maxUploadParts, type S3Upload, type S3UploadPart } from './s3-uploads.ts'
import type { Staging } from './staging.ts'
import { assertStorageKey, FileMissing, type MultipartFiles } from './storage.ts'
import { writePart } from './write-part.ts'

type Store = {
  objects: S3Objects
  staging: Staging
  download: Downloader
  filesFolder: string
  /** Final keys of the files in use, by local path. */
  finalKeysByPath: Map<string, string>
}

const maxTries = 3

/**
 * Parts are first received on the local disk, so that only complete ones are sent to the multipart upload; the store
 * verifies their hash. The handle is the final key with the upload id of the store.
 */
export function createS3MultipartFiles({ objects, staging, download, filesFolder, finalKeysByPath }: Store) {
  const { s3Uploads } = objects
  const digests = createBlockDigests()
  const objectKey = (key: string) => `${filesFolder}/${assertStorageKey(key)}`
  const toHandle = ({ key, uploadId }: S3Upload) => `${key.slice(filesFolder.length + 1)}?uploadId=${uploadId}`

  /** Returns null for a handle of a disk, which had the media before they were moved to this bucket. */
  function findS3Upload(handle: string): (S3Upload & { finalKey: string }) | null {
    const [finalKey = '', uploadId] = handle.split('?uploadId=')
    const key = objectKey(finalKey)
    return uploadId ? { key, uploadId, finalKey } : null
  }

  function getS3Upload(handle: string): S3Upload & { finalKey: string } {
    const s3Upload = findS3Upload(handle)
    if (!s3Upload) throw new FileMissing(handle)
    return s3Upload
  }

  /** Can be repeated and called concurrently. Throws FileMissing when the parts do not have `sizeBytes` in total. */
  async function complete(s3Upload: S3Upload, sizeBytes: number): Promise<void> {
    const isWhole = async () => (await objects.findSize(s3Upload.key)) === sizeBytes
    for (let tries = 1; !(await isWhole()); tries++) {
      if (tries > maxTries) throw new FileMissing(s3Upload.key)
      try {
        const parts = await s3Uploads.listParts(s3Upload)
        if (sumBytes(parts) !== sizeBytes) throw new FileMissing(s3Upload.key)
        return await s3Uploads.complete(s3Upload, parts)
      } catch (error) {
        // Another process has completed the upload, or a part has been replaced: look again.
        if (!isNoSuchUpload(error) && (error as Error).name !== 'InvalidPart') throw error
      }
    }
  }

  const multipart: MultipartFiles = {
    maxParts: maxUploadParts,
    begin: async (_name, finalKey) => toHandle(await s3Uploads.begin(objectKey(finalKey))),

    async write(handle, part, source, onBytes) {
      const s3Upload = getS3Upload(handle)
      // Some stores accept a part for a complete object, which damages it.
      if ((await objects.findSize(s3Upload.key)) !== null) throw new FileMissing(handle)
      const path = await staging.path()
      const block = digests.begin()
      try {
        const file = await open(path, 'wx')
        await writePart({ source, handle: file, position: 0, part, block, onBytes }).finally(() => file.close())
      } catch (error) {
        block.abandon()
        await staging.discard(path)
        throw error
      }
      try {
        const digest = await block.finish()
        const slice = { path, start: 0, sizeBytes: part.sizeBytes }
        const number = part.index + 1
        const etag = await s3Uploads.putPart(s3Upload, number, slice, digest.sha256)
        return { digest, isCurrent: async () => (await s3Uploads.findEtag(s3Upload, number)) === etag }
      } catch (error) {
        throw isNoSuchUpload(error) ? new FileMissing(handle) : error
      } finally {
        await staging.discard(path)
      }
    },

    async withLocalFile(handle, { sizeBytes, contentHash }, use) {
      const { finalKey, ...s3Upload } = getS3Upload(handle)
      await complete(s3Upload, sizeBytes)
      return download(s3Upload.key, { sizeBytes, contentHash }, async (path) => {
        finalKeysByPath.set(path, finalKey)
        return use(path, finalKey).finally(() => finalKeysByPath.delete(path))
      })
    },

    async remove(handle) {
      const s3Upload = findS3Upload(handle)
      if (s3Upload) await s3Uploads.abort(s3Upload)
    },

    async discard(handle) {
      const s3Upload = findS3Upload(handle)
      if (!s3Upload) return
      await s3Uploads.abort(s3Upload)
      await objects.remove(s3Upload.key)
    },

    async *list(prefix) {
      for await (const { startedAt, ...s3Upload } of s3Uploads.list(`${filesFolder}/${prefix}`)) {
        const parts = await s3Uploads.listParts(s3Upload).catch(ignoreMissingUpload)
        if (!parts) continue
        const modifiedAt = Math.max(startedAt, ...parts.map((part) => part.modifiedAt))
        yield { key: toHandle(s3Upload), sizeBytes: sumBytes(parts), modifiedAt }
      }
    },
  }

  return { ...multipart, close: digests.close }
}

const sumBytes = (parts: readonly S3UploadPart[]): number => parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)

function ignoreMissingUpload(error: unknown): null {
  if (isNoSuchUpload(error)) return null
  throw error
}
