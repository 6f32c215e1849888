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
import type { S3Config } from '../configuration/config.ts'
import { connectToS3, isMissing, type S3Connection } from './s3-client.ts'
import { S3Uploads } from './s3-uploads.ts'
import {
  type ByteRange,
  type DownloadHeaders,
  FileMissing,
  StorageRejected,
  StorageUnavailable,
  type StoredFile,
} from './storage.ts'

/** An object that is being received. `sizeBytes` is the size of the whole object, even for a range. */
export type FetchedObject = { body: Readable; sizeBytes: number; etag: string }

/** Larger objects are sent in parts, so that a lost connection costs only one part. */
const maxPutBytes = 64 * 2 ** 20
/** The store copies larger objects only in parts. */
const maxCopyBytes = 5 * 2 ** 30
/** To delete more keys, the store may need longer than for other requests. */
const maxQuickDeletions = 20
const maxTries = 3
const signedUrlSeconds = 60

/** The objects of a bucket below the configured prefix. All keys here are without that prefix. */
export class S3Objects {
  readonly uploads: S3Uploads
  readonly #s3: S3Connection
  readonly #keysPerPage: number

  constructor(s3: S3Config, keysPerPage = 1_000) {
    this.#s3 = connectToS3(s3)
    this.#keysPerPage = keysPerPage
    this.uploads = new S3Uploads(this.#s3)
  }

  /** Returns null for a missing object. */
  async findSize(key: string): Promise<number | null> {
    const found = await this.#head(key)
    return found && (found.ContentLength ?? 0)
  }

  /** Returns a tag that changes with the content, or null for a missing object. */
  async findEtag(key: string): Promise<string | null> {
    const found = await this.#head(key)
    return found && (found.ETag ?? '')
  }

  async putText(key: string, text: string): Promise<void> {
    const { send, at } = this.#s3
    const textObject = { ...at(key), Body: text, ContentType: 'text/plain; charset=utf-8' }
    await send((client) => client.send(new PutObjectCommand(textObject)))
  }

  /** Returns null for a range after the end. Throws FileMissing, and with `etag` also when the object has changed. */
  async get(key: string, range?: ByteRange, etag?: string): Promise<FetchedObject | null> {
    const { send, at } = this.#s3
    const input = { ...at(key), Range: range && `bytes=${range.start}-${range.end}`, IfMatch: etag }
    try {
      const found = await send((client) => client.send(new GetObjectCommand(input)))
      const [, total] = /\/(\d+)$/.exec(found.ContentRange ?? '') ?? []
      const body = found.Body as Readable
      // Without this listener, an error while nothing reads the body would end the process. Readers get the error, too.
      body.on('error', () => undefined)
      const sizeBytes = total === undefined ? (found.ContentLength ?? 0) : Number(total)
      return { body, sizeBytes, etag: found.ETag ?? '' }
    } catch (error) {
      const { name } = error as Error
      if (name === 'InvalidRange') return null
      throw isMissing(error) || name === 'PreconditionFailed' ? new FileMissing(key) : error
    }
  }

  /** Uploads a local file that must not change. The object exists completely or not at all. */
  async put(path: string, key: string): Promise<void> {
    const { send, at } = this.#s3
    const file = await open(path, 'r')
    try {
      const { size: sizeBytes } = await file.stat()
      if (sizeBytes > maxPutBytes) return await this.uploads.put(path, key, sizeBytes)
      await send((client) => {
        const Body = sizeBytes === 0 ? Buffer.alloc(0) : file.createReadStream({ start: 0, autoClose: false })
        return client.send(new PutObjectCommand({ ...at(key), Body, ContentLength: sizeBytes }))
      })
    } finally {
      await file.close()
    }
  }

  /** Returns false when the copy has another size, which happens in some stores. Throws FileMissing. */
  async copy(key: string, target: string): Promise<boolean> {
    const { send, at, copySourceOf } = this.#s3
    const sizeBytes = await this.findSize(key)
    if (sizeBytes === null) throw new FileMissing(key)
    if (sizeBytes > maxCopyBytes) await this.uploads.copy(key, target, sizeBytes)
    else {
      const copied = new CopyObjectCommand({ ...at(target), CopySource: copySourceOf(key) })
      await send((client) => client.send(copied), { isLong: true })
    }
    return (await this.findSize(target)) === sizeBytes
  }

  /** A missing object is not an error. */
  async remove(key: string): Promise<void> {
    const { send, at } = this.#s3
    await send((client) => client.send(new DeleteObjectCommand(at(key)))).catch((error) => {
      if (!isMissing(error)) throw error
    })
  }

  /** Accepts at most 1,000 keys. Retries failed deletions, then throws StorageUnavailable. */
  async removeAll(keys: readonly string[]): Promise<void> {
    const { send, bucket: Bucket, prefix } = this.#s3
    let left = keys.map((key) => ({ Key: prefix + key }))
    for (let tries = 1; left.length > 0; tries++) {
      const input = new DeleteObjectsCommand({ Bucket, Delete: { Objects: left, Quiet: true } })
      const { Errors = [] } = await send((client) => client.send(input), { isLong: left.length > maxQuickDeletions })
      const failed = Errors.filter(({ Code }) => Code !== 'NoSuchKey')
      if (failed.length > 0 && tries === maxTries) {
        throw new StorageUnavailable(`The object store did not delete a file (${failed[0]?.Code})`)
      }
      left = failed.map(({ Key = '' }) => ({ Key }))
    }
  }

  async *list(folder: string): AsyncGenerator<StoredFile & { etag: string }> {
    for await (const { Contents = [] } of this.#listPages(folder)) {
      for (const { Key = '', Size = 0, LastModified = new Date(), ETag = '' } of Contents) {
        const key = Key.slice(this.#s3.prefix.length)
        yield { key, sizeBytes: Size, modifiedAt: LastModified.getTime(), etag: ETag }
      }
    }
  }

  async listFolders(folder: string): Promise<string[]> {
    const names: string[] = []
    for await (const { CommonPrefixes = [] } of this.#listPages(folder, '/')) {
      for (const { Prefix = '' } of CommonPrefixes) names.push(Prefix.split('/').at(-2) ?? '')
    }
    return names
  }

  /** The URL is valid for a minute. */
  signedUrl(key: string, { contentType, contentDisposition }: DownloadHeaders): Promise<string> {
    const command = new GetObjectCommand({
      ...this.#s3.at(key),
      ResponseContentType: contentType,
      ResponseContentDisposition: contentDisposition,
      ResponseCacheControl: 'private, no-store',
    })
    return getSignedUrl(this.#s3.client, command, { expiresIn: signedUrlSeconds })
  }

  /** Throws StorageRejected for a missing bucket. */
  async check(): Promise<void> {
    const { send, bucket: Bucket } = this.#s3
    await send((client) => client.send(new HeadBucketCommand({ Bucket }))).catch((error) => {
      throw isMissing(error) ? new StorageRejected('The object store has no bucket with this name') : error
    })
  }

  close(): void {
    this.#s3.close()
  }

  #head(key: string) {
    const { send, at } = this.#s3
    return send((client) => client.send(new HeadObjectCommand(at(key)))).catch((error) => {
      if (isMissing(error)) return null
      throw error
    })
  }

  async *#listPages(folder: string, Delimiter?: string) {
    const { send, bucket: Bucket, prefix } = this.#s3
    const Prefix = prefix + (folder === '' ? '' : `${folder}/`)
    for (let token: string | undefined, isLast = false; !isLast; ) {
      const input = { Bucket, Prefix, Delimiter, ContinuationToken: token, MaxKeys: this.#keysPerPage }
      const page = await send((client) => client.send(new ListObjectsV2Command(input)))
      yield page
      token = page.NextContinuationToken
      isLast = !page.IsTruncated || token === undefined
    }
  }
}
