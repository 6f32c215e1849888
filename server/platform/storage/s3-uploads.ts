import { open } from 'node:fs/promises'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import pLimit from 'p-limit'
import { isMissing, type S3Connection, withBodyDigest } from './s3-client.ts'

export type S3Upload = { key: string; uploadId: string }
/** `number` starts at 1. */
export type S3UploadPart = { number: number; etag: string; sizeBytes: number; modifiedAt: number }
type Slice = { path: string; start: number; sizeBytes: number }

/** The limit of S3. */
export const maxUploadParts = 10_000
const putPartBytes = 64 * 2 ** 20
const copyPartBytes = 2 ** 30
const partsAtOnce = 3

/** Multipart uploads. Keys are without the prefix, and only `complete` creates the object under the key. */
export class S3Uploads {
  readonly #s3: S3Connection

  constructor(connection: S3Connection) {
    this.#s3 = connection
  }

  async begin(key: string): Promise<S3Upload> {
    const { send, at } = this.#s3
    const begun = new CreateMultipartUploadCommand({ ...at(key), ContentType: 'application/octet-stream' })
    const { UploadId: uploadId = '' } = await send((client) => client.send(begun))
    return { key, uploadId }
  }

  /** Returns the ETag. The store verifies `sha256`, if given. Throws the error NoSuchUpload of the store. */
  async putPart(upload: S3Upload, number: number, slice: Slice, sha256?: string): Promise<string> {
    const { path, start, sizeBytes } = slice
    const file = await open(path, 'r')
    const ask = (client: S3Client) => {
      const Body = file.createReadStream({ start, end: start + sizeBytes - 1, autoClose: false })
      const input = { ...this.#address(upload), PartNumber: number, Body, ContentLength: sizeBytes }
      const command = new UploadPartCommand(input)
      return client.send(sha256 ? withBodyDigest(command, sha256) : command)
    }
    const { ETag: etag = '' } = await this.#s3.send(ask).finally(() => file.close())
    return unquote(etag)
  }

  /** Returns the ETag of the current part, or null for a missing part. Throws NoSuchUpload. */
  async findEtag(upload: S3Upload, number: number): Promise<string | null> {
    const input = { ...this.#address(upload), PartNumberMarker: String(number - 1), MaxParts: 1 }
    const { Parts = [] } = await this.#s3.send((client) => client.send(new ListPartsCommand(input)))
    const part = Parts.find(({ PartNumber }) => PartNumber === number)
    return part ? unquote(part.ETag ?? '') : null
  }

  /** Throws NoSuchUpload. */
  async listParts(upload: S3Upload): Promise<S3UploadPart[]> {
    const parts: S3UploadPart[] = []
    for (let marker: string | undefined, isLast = false; !isLast; ) {
      const input = { ...this.#address(upload), PartNumberMarker: marker }
      const { Parts = [], ...page } = await this.#s3.send((client) => client.send(new ListPartsCommand(input)))
      for (const { PartNumber: number = 0, ETag: etag = '', Size: sizeBytes = 0, LastModified } of Parts) {
        parts.push({ number, etag, sizeBytes, modifiedAt: LastModified?.getTime() ?? 0 })
      }
      marker = page.NextPartNumberMarker
      isLast = !page.IsTruncated || Parts.length === 0
    }
    return parts
  }

  /** Throws NoSuchUpload, and InvalidPart when a part was replaced since it was listed. */
  async complete(upload: S3Upload, parts: readonly S3UploadPart[]): Promise<void> {
    const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }))
    const input = { ...this.#address(upload), MultipartUpload: { Parts } }
    await this.#s3.send((client) => client.send(new CompleteMultipartUploadCommand(input)), { isLong: true })
  }

  async abort(upload: S3Upload): Promise<void> {
    const input = this.#address(upload)
    await this.#s3
      .send((client) => client.send(new AbortMultipartUploadCommand(input)))
      .catch((error) => {
        if (!isMissing(error) && !isNoSuchUpload(error)) throw error
      })
  }

  async put(path: string, key: string, sizeBytes: number): Promise<void> {
    await this.#transferInParts(key, sizeBytes, putPartBytes, async (upload, number, part) => {
      await this.putPart(upload, number, { path, ...part })
    })
  }

  async copy(key: string, target: string, sizeBytes: number): Promise<void> {
    const { send, copySourceOf } = this.#s3
    await this.#transferInParts(target, sizeBytes, copyPartBytes, async (upload, number, { start, sizeBytes }) => {
      const range = { CopySource: copySourceOf(key), CopySourceRange: `bytes=${start}-${start + sizeBytes - 1}` }
      const input = { ...this.#address(upload), PartNumber: number, ...range }
      await send((client) => client.send(new UploadPartCopyCommand(input)), { isLong: true })
    })
  }

  async *list(folder: string): AsyncGenerator<S3Upload & { startedAt: number }> {
    const { send, bucket: Bucket, prefix } = this.#s3
    for (let marker = {}, isLast = false; !isLast; ) {
      const input = { Bucket, Prefix: `${prefix}${folder}/`, ...marker }
      const page = await send((client) => client.send(new ListMultipartUploadsCommand(input)))
      for (const { Key = '', UploadId: uploadId = '', Initiated } of page.Uploads ?? []) {
        yield { key: Key.slice(prefix.length), uploadId, startedAt: Initiated?.getTime() ?? Date.now() }
      }
      marker = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
      isLast = !page.IsTruncated || !page.NextKeyMarker
    }
  }

  #address({ key, uploadId }: S3Upload) {
    return { ...this.#s3.at(key), UploadId: uploadId }
  }

  /** Runs `work` for each part, three at a time, and completes the upload. Aborts the upload when anything fails. */
  async #transferInParts(
    key: string,
    sizeBytes: number,
    minPartBytes: number,
    work: (upload: S3Upload, number: number, part: { start: number; sizeBytes: number }) => Promise<void>,
  ): Promise<void> {
    const partBytes = Math.max(minPartBytes, Math.ceil(sizeBytes / maxUploadParts))
    const starts = Array.from({ length: Math.ceil(sizeBytes / partBytes) }, (_, index) => index * partBytes)
    const upload = await this.begin(key)
    const limited = pLimit(partsAtOnce)
    let hasFailed = false
    const transfer = async (start: number, index: number) => {
      if (hasFailed) return
      const part = { start, sizeBytes: Math.min(partBytes, sizeBytes - start) }
      await work(upload, index + 1, part).catch((error) => {
        hasFailed = true
        throw error
      })
    }
    const done = await Promise.allSettled(starts.map((start, index) => limited(() => transfer(start, index))))
    try {
      for (const result of done) if (result.status === 'rejected') throw result.reason
      await this.complete(upload, await this.listParts(upload))
    } catch (error) {
      // `sweepUploads` later aborts an upload below `events` that cannot be aborted now.
      await this.abort(upload).catch(() => undefined)
      throw error
    }
  }
}

/** Only some stores put the ETag in quotation marks. */
const unquote = (etag: string): string => etag.replaceAll('"', '')

export const isNoSuchUpload = (error: unknown): boolean => (error as Error).name === 'NoSuchUpload'
