import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { S3Config } from '../config.ts'
import { connectToS3, isMissing } from './s3-client.ts'
import { openS3Multiparts } from './s3-multiparts.ts'
import {
  type ByteRange,
  type DownloadAs,
  FileMissing,
  StorageRefused,
  StorageUnavailable,
  type StoredFile,
} from './storage.ts'

export type S3Objects = ReturnType<typeof openS3Objects>

/** What is on its way here of an object. `sizeBytes` is that of the whole. */
export type FetchedObject = { body: Readable; sizeBytes: number; etag: string }

/** Larger ones go in parts, so that what breaks off costs one of them. */
const largestPutBytes = 64 * 2 ** 20
/** The store copies larger ones only in parts. */
const largestCopyBytes = 5 * 2 ** 30
/** More keys than that, and the store may need longer to remove them than for anything else. */
const quicklyRemoved = 20
const maxTries = 3
const linkSeconds = 60

/** The objects of a bucket below the configured prefix, by keys without it; listed in pages of `keysPerPage`. */
export function openS3Objects(s3: S3Config, keysPerPage = 1_000) {
  const connection = connectToS3(s3)
  const { send, at, sourceOf, bucket: Bucket, prefix } = connection
  const multiparts = openS3Multiparts(connection)

  /** null: there is no such object. */
  async function sizeOf(key: string): Promise<number | null> {
    try {
      const { ContentLength = 0 } = await send((client) => client.send(new HeadObjectCommand(at(key))))
      return ContentLength
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }

  /** Pages of what stands below a folder such as `files/events`; below all when it is empty. */
  async function* pagesOf(folder: string, Delimiter?: string) {
    const Prefix = prefix + (folder === '' ? '' : `${folder}/`)
    for (let token: string | undefined, isLast = false; !isLast; ) {
      const asked = { Bucket, Prefix, Delimiter, ContinuationToken: token, MaxKeys: keysPerPage }
      const page = await send((client) => client.send(new ListObjectsV2Command(asked)))
      yield page
      token = page.NextContinuationToken
      isLast = !page.IsTruncated || token === undefined
    }
  }

  return {
    multiparts,
    sizeOf,

    /** Changes with the content. null: there is no such object. */
    async etagOf(key: string): Promise<string | null> {
      try {
        return (await send((client) => client.send(new HeadObjectCommand(at(key))))).ETag ?? ''
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },

    /** A few words for people. */
    async putText(key: string, text: string): Promise<void> {
      const words = { ...at(key), Body: text, ContentType: 'text/plain; charset=utf-8' }
      await send((client) => client.send(new PutObjectCommand(words)))
    },

    /** Throws FileMissing. null: the range begins behind the end. With an ETag: only while it is the same object. */
    async get(key: string, range?: ByteRange, etag?: string): Promise<FetchedObject | null> {
      const asked = { ...at(key), Range: range && `bytes=${range.start}-${range.end}`, IfMatch: etag }
      try {
        const found = await send((client) => client.send(new GetObjectCommand(asked)))
        const [, total] = /\/(\d+)$/.exec(found.ContentRange ?? '') ?? []
        const body = found.Body as Readable
        // Whoever reads it learns of it; nobody may be reading just then.
        body.on('error', () => undefined)
        const sizeBytes = total === undefined ? (found.ContentLength ?? 0) : Number(total)
        return { body, sizeBytes, etag: found.ETag ?? '' }
      } catch (error) {
        const { name } = error as Error
        if (name === 'InvalidRange') return null
        throw isMissing(error) || name === 'PreconditionFailed' ? new FileMissing(key) : error
      }
    },

    /** Of a file on the local disk that nobody writes to. The object is there as a whole or not at all. */
    async put(path: string, key: string): Promise<void> {
      const file = await open(path, 'r')
      try {
        const { size: sizeBytes } = await file.stat()
        if (sizeBytes > largestPutBytes) return await multiparts.put(path, key, sizeBytes)
        await send((client) => {
          const Body = sizeBytes === 0 ? Buffer.alloc(0) : file.createReadStream({ start: 0, autoClose: false })
          return client.send(new PutObjectCommand({ ...at(key), Body, ContentLength: sizeBytes }))
        })
      } finally {
        await file.close()
      }
    },

    /**
     * Without its bytes coming here. False where the store has made something else of it, as some do with objects that came
     * in parts. Throws FileMissing.
     */
    async copy(key: string, target: string): Promise<boolean> {
      const sizeBytes = await sizeOf(key)
      if (sizeBytes === null) throw new FileMissing(key)
      if (sizeBytes > largestCopyBytes) await multiparts.copy(key, target, sizeBytes)
      else {
        const copied = new CopyObjectCommand({ ...at(target), CopySource: sourceOf(key) })
        await send((client) => client.send(copied), { isLong: true })
      }
      return (await sizeOf(target)) === sizeBytes
    },

    async remove(key: string): Promise<void> {
      await send((client) => client.send(new DeleteObjectCommand(at(key)))).catch((error) => {
        if (!isMissing(error)) throw error
      })
    },

    /** At most a thousand at once, which may take the store its time; those that it fails at are asked for again. */
    async removeAll(keys: readonly string[]): Promise<void> {
      let left = keys.map((key) => ({ Key: prefix + key }))
      for (let tries = 1; left.length > 0; tries++) {
        const asked = new DeleteObjectsCommand({ Bucket, Delete: { Objects: left, Quiet: true } })
        const { Errors = [] } = await send((client) => client.send(asked), { isLong: left.length > quicklyRemoved })
        const failed = Errors.filter(({ Code }) => Code !== 'NoSuchKey')
        if (failed.length > 0 && tries === maxTries) {
          throw new StorageUnavailable(`The object store did not delete a file (${failed[0]?.Code})`)
        }
        left = failed.map(({ Key = '' }) => ({ Key }))
      }
    },

    /** In the order of their keys. */
    async *list(folder: string): AsyncGenerator<StoredFile & { etag: string }> {
      for await (const { Contents = [] } of pagesOf(folder)) {
        for (const { Key = '', Size = 0, LastModified = new Date(), ETag = '' } of Contents) {
          const key = Key.slice(prefix.length)
          yield { key, sizeBytes: Size, modifiedAt: LastModified.getTime(), etag: ETag }
        }
      }
    },

    /** The next segments right below a folder. */
    async listFolders(folder: string): Promise<string[]> {
      const names: string[] = []
      for await (const { CommonPrefixes = [] } of pagesOf(folder, '/')) {
        for (const { Prefix = '' } of CommonPrefixes) names.push(Prefix.split('/').at(-2) ?? '')
      }
      return names
    },

    /** Good for a GET of this one object. */
    signedUrl: (key: string, { contentType, contentDisposition }: DownloadAs): Promise<string> =>
      getSignedUrl(
        connection.client,
        new GetObjectCommand({
          ...at(key),
          ResponseContentType: contentType,
          ResponseContentDisposition: contentDisposition,
          ResponseCacheControl: 'private, no-store',
        }),
        { expiresIn: linkSeconds },
      ),

    async check(): Promise<void> {
      await send((client) => client.send(new HeadBucketCommand({ Bucket }))).catch((error) => {
        throw isMissing(error) ? new StorageRefused('The object store knows no bucket of this name') : error
      })
    },

    close: connection.close,
  }
}
