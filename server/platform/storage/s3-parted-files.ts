import { open } from 'node:fs/promises'
import { createBlockDigests } from './digest-blocks.ts'
import type { MultipartFiles } from './parted-files.ts'
import { writePart } from './pour-part.ts'
import type { Fetch } from './s3-fetch.ts'
import { isNoSuchUpload, type Multipart, type MultipartPart, maxMultipartParts } from './s3-multiparts.ts'
import type { S3Objects } from './s3-objects.ts'
import type { createStaging } from './staging.ts'
import { FileMissing } from './storage.ts'
import { checked } from './storage-keys.ts'

type Store = {
  objects: S3Objects
  staging: ReturnType<typeof createStaging>
  fetch: Fetch
  filesFolder: string
  /** Final keys of the files in use, by local path. */
  lent: Map<string, string>
}

const maxTries = 3

/**
 * Parts are first received on the local disk, so that only complete ones are sent to the multipart upload; the store
 * verifies their hash. The handle is the key with the upload id of the store.
 */
export function createS3MultipartFiles({ objects, staging, fetch, filesFolder, lent }: Store) {
  const { multiparts } = objects
  const digests = createBlockDigests()
  const rawKey = (key: string) => `${filesFolder}/${checked(key)}`
  const handleOf = ({ key, uploadId }: Multipart) => `${key.slice(filesFolder.length + 1)}?uploadId=${uploadId}`

  /** Returns null for a handle of the disk that had the media before. */
  function findMultipart(handle: string): (Multipart & { settledKey: string }) | null {
    const [settledKey = '', uploadId] = handle.split('?uploadId=')
    const key = rawKey(settledKey)
    return uploadId ? { key, uploadId, settledKey } : null
  }

  function getMultipart(handle: string): Multipart & { settledKey: string } {
    const multipart = findMultipart(handle)
    if (!multipart) throw new FileMissing(handle)
    return multipart
  }

  /** Can be repeated and called concurrently. */
  async function complete(multipart: Multipart, sizeBytes: number): Promise<void> {
    const isWhole = async () => (await objects.sizeOf(multipart.key)) === sizeBytes
    for (let tries = 1; !(await isWhole()); tries++) {
      if (tries > maxTries) throw new FileMissing(multipart.key)
      try {
        const parts = await multiparts.partsOf(multipart)
        if (bytesOf(parts) !== sizeBytes) throw new FileMissing(multipart.key)
        return await multiparts.complete(multipart, parts)
      } catch (error) {
        // Another process has completed the upload, or a part has been replaced.
        if (!isNoSuchUpload(error) && (error as Error).name !== 'InvalidPart') throw error
      }
    }
  }

  const parted: MultipartFiles = {
    maxParts: maxMultipartParts,
    begin: async (_name, settledKey) => handleOf(await multiparts.begin(rawKey(settledKey))),

    async write(handle, part, source, onBytes) {
      const multipart = getMultipart(handle)
      // Some stores accept a part for a complete object, which damages it.
      if ((await objects.sizeOf(multipart.key)) !== null) throw new FileMissing(handle)
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
        const etag = await multiparts.putPart(multipart, number, slice, digest.sha256)
        return { digest, isStill: async () => (await multiparts.etagOf(multipart, number)) === etag }
      } catch (error) {
        throw isNoSuchUpload(error) ? new FileMissing(handle) : error
      } finally {
        await staging.discard(path)
      }
    },

    async lend(handle, { sizeBytes, contentHash }, use) {
      const { settledKey, ...multipart } = getMultipart(handle)
      await complete(multipart, sizeBytes)
      return fetch(multipart.key, { sizeBytes, contentHash }, async (path) => {
        lent.set(path, settledKey)
        return use(path, settledKey).finally(() => lent.delete(path))
      })
    },

    async remove(handle) {
      const multipart = findMultipart(handle)
      if (multipart) await multiparts.abort(multipart)
    },

    async discard(handle) {
      const multipart = findMultipart(handle)
      if (!multipart) return
      await multiparts.abort(multipart)
      await objects.remove(multipart.key)
    },

    async *list(prefix) {
      for await (const { begunAt, ...multipart } of multiparts.list(`${filesFolder}/${prefix}`)) {
        const parts = await multiparts.partsOf(multipart).catch(unlessGone)
        if (!parts) continue
        const modifiedAt = Math.max(begunAt, ...parts.map((part) => part.modifiedAt))
        yield { key: handleOf(multipart), sizeBytes: bytesOf(parts), modifiedAt }
      }
    },
  }

  return { ...parted, close: digests.close }
}

const bytesOf = (parts: readonly MultipartPart[]): number => parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)

function unlessGone(error: unknown): null {
  if (isNoSuchUpload(error)) return null
  throw error
}
