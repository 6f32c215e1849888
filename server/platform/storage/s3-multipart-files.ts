import { open } from 'node:fs/promises'
import type { BlockDigest } from './content-digest.ts'
import { digestThread } from './digest-thread-client.ts'
import type { Downloader } from './s3-downloader.ts'
import type { S3Objects } from './s3-objects.ts'
import { isNoSuchUpload, maxUploadParts, type S3Upload, type S3UploadPart } from './s3-uploads.ts'
import type { Staging } from './staging.ts'
import { assertStorageKey, FileMissing, type MultipartFiles } from './storage.ts'
import { type PartWrite, writePart } from './write-part.ts'

export type S3Store = {
  objects: S3Objects
  staging: Staging
  download: Downloader
  /** Final keys of the files that `withLocalFile` passes to `use`, by local path. */
  finalKeysByPath: Map<string, string>
}

const maxTries = 3
export const filesFolder = 'files'
export const objectKey = (key: string): string => `${filesFolder}/${assertStorageKey(key)}`

/**
 * Parts are first received on the local disk, so that only complete parts are sent to the multipart upload; the store
 * verifies the hash of each part. The handle is the final key with the upload id of the store.
 */
export function createS3MultipartFiles({ objects, staging, download, finalKeysByPath }: S3Store): MultipartFiles {
  const { uploads } = objects

  return {
    maxParts: maxUploadParts,
    begin: async (_name, finalKey) => toHandle(await uploads.begin(objectKey(finalKey))),

    async write(handle, part, source, reserveSpace) {
      const upload = getUpload(handle)
      // Some stores accept a part after the upload is completed, which damages the object.
      if ((await objects.findSize(upload.key)) !== null) throw new FileMissing(handle)
      const path = await staging.path()
      try {
        const digest = await receivePart(path, { source, part, block: digestThread.beginBlock(), reserveSpace })
        const slice = { path, start: 0, sizeBytes: part.sizeBytes }
        const number = part.index + 1
        const etag = await uploads.putPart(upload, number, slice, digest.sha256)
        return { digest, isCurrent: async () => (await uploads.findEtag(upload, number)) === etag }
      } catch (error) {
        throw isNoSuchUpload(error) ? new FileMissing(handle) : error
      } finally {
        await staging.discard(path)
      }
    },

    async withLocalFile(handle, { sizeBytes, contentHash }, use) {
      const { finalKey, ...upload } = getUpload(handle)
      await complete(objects, upload, sizeBytes)
      return download(upload.key, { sizeBytes, contentHash }, async (path) => {
        finalKeysByPath.set(path, finalKey)
        return use(path, finalKey).finally(() => finalKeysByPath.delete(path))
      })
    },

    async remove(handle) {
      const upload = findUpload(handle)
      if (upload) await uploads.abort(upload)
    },

    async discard(handle) {
      const upload = findUpload(handle)
      if (!upload) return
      await uploads.abort(upload)
      await objects.remove(upload.key)
    },

    async *list(prefix) {
      for await (const { startedAt, ...upload } of uploads.list(`${filesFolder}/${prefix}`)) {
        const parts = await uploads.listParts(upload).catch(ignoreMissingUpload)
        if (!parts) continue
        const modifiedAt = Math.max(startedAt, ...parts.map((part) => part.modifiedAt))
        yield { key: toHandle(upload), sizeBytes: sumBytes(parts), modifiedAt }
      }
    },
  }
}

const toHandle = ({ key, uploadId }: S3Upload): string => `${key.slice(filesFolder.length + 1)}?uploadId=${uploadId}`

type StartedUpload = S3Upload & { finalKey: string }

/** Returns null for the handle of a file on disk, from the time before the media were moved to this bucket. */
function findUpload(handle: string): StartedUpload | null {
  const [finalKey = '', uploadId] = handle.split('?uploadId=')
  const key = objectKey(finalKey)
  return uploadId ? { key, uploadId, finalKey } : null
}

function getUpload(handle: string): StartedUpload {
  const upload = findUpload(handle)
  if (!upload) throw new FileMissing(handle)
  return upload
}

async function receivePart(path: string, received: Omit<PartWrite, 'handle' | 'position'>): Promise<BlockDigest> {
  try {
    const handle = await open(path, 'wx')
    await writePart({ ...received, handle, position: 0 }).finally(() => handle.close())
  } catch (error) {
    received.block.abandon()
    throw error
  }
  return received.block.finish()
}

/** Can be repeated and called concurrently. Throws FileMissing if the upload is gone or has another total size. */
async function complete(objects: S3Objects, upload: S3Upload, sizeBytes: number): Promise<void> {
  const isWhole = async () => (await objects.findSize(upload.key)) === sizeBytes
  for (let tries = 1; !(await isWhole()); tries++) {
    if (tries > maxTries) throw new FileMissing(upload.key)
    try {
      const parts = await objects.uploads.listParts(upload)
      if (sumBytes(parts) !== sizeBytes) throw new FileMissing(upload.key)
      return await objects.uploads.complete(upload, parts)
    } catch (error) {
      // Another process has completed the upload, or a part has been replaced: look again.
      if (!isNoSuchUpload(error) && (error as Error).name !== 'InvalidPart') throw error
    }
  }
}

const sumBytes = (parts: readonly S3UploadPart[]): number => parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)

function ignoreMissingUpload(error: unknown): null {
  if (isNoSuchUpload(error)) return null
  throw error
}
