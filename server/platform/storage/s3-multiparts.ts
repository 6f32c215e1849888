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

export type Multipart = { key: string; uploadId: string }
/** `number` starts at 1. */
export type MultipartPart = { number: number; etag: string; sizeBytes: number; modifiedAt: number }
type Slice = { path: string; start: number; sizeBytes: number }

/** The limit of S3. */
export const maxMultipartParts = 10_000
const putPartBytes = 64 * 2 ** 20
const copyPartBytes = 2 ** 30
const partsAtOnce = 3

/** Multipart uploads, by keys without the prefix. An object does not exist under its key before `complete`. */
export function openS3Multiparts({ send, at, sourceOf, bucket: Bucket, prefix }: S3Connection) {
  async function begin(key: string): Promise<Multipart> {
    const begun = new CreateMultipartUploadCommand({ ...at(key), ContentType: 'application/octet-stream' })
    const { UploadId: uploadId = '' } = await send((client) => client.send(begun))
    return { key, uploadId }
  }

  /** Returns the etag. The store verifies `sha256`. Throws NoSuchUpload, an error of the store. */
  async function putPart({ key, uploadId }: Multipart, number: number, slice: Slice, sha256?: string): Promise<string> {
    const { path, start, sizeBytes } = slice
    const file = await open(path, 'r')
    const ask = (client: S3Client) => {
      const Body = file.createReadStream({ start, end: start + sizeBytes - 1, autoClose: false })
      const asked = { ...at(key), UploadId: uploadId, PartNumber: number, Body, ContentLength: sizeBytes }
      const command = new UploadPartCommand(asked)
      return client.send(sha256 ? withBodyDigest(command, sha256) : command)
    }
    const { ETag: etag = '' } = await send(ask).finally(() => file.close())
    return bare(etag)
  }

  /** Returns the etag of the current part, or null. Throws NoSuchUpload. */
  async function etagOf({ key, uploadId }: Multipart, number: number): Promise<string | null> {
    const asked = { ...at(key), UploadId: uploadId, PartNumberMarker: String(number - 1), MaxParts: 1 }
    const { Parts = [] } = await send((client) => client.send(new ListPartsCommand(asked)))
    const part = Parts.find(({ PartNumber }) => PartNumber === number)
    return part ? bare(part.ETag ?? '') : null
  }

  /** Throws NoSuchUpload. */
  async function partsOf({ key, uploadId }: Multipart): Promise<MultipartPart[]> {
    const parts: MultipartPart[] = []
    for (let marker: string | undefined, isLast = false; !isLast; ) {
      const asked = { ...at(key), UploadId: uploadId, PartNumberMarker: marker }
      const { Parts = [], ...page } = await send((client) => client.send(new ListPartsCommand(asked)))
      for (const { PartNumber: number = 0, ETag: etag = '', Size: sizeBytes = 0, LastModified } of Parts) {
        parts.push({ number, etag, sizeBytes, modifiedAt: LastModified?.getTime() ?? 0 })
      }
      marker = page.NextPartNumberMarker
      isLast = !page.IsTruncated || Parts.length === 0
    }
    return parts
  }

  /** Throws NoSuchUpload, and InvalidPart when a part was replaced since it was listed. */
  async function complete({ key, uploadId }: Multipart, parts: readonly MultipartPart[]): Promise<void> {
    const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }))
    const asked = { ...at(key), UploadId: uploadId, MultipartUpload: { Parts } }
    await send((client) => client.send(new CompleteMultipartUploadCommand(asked)), { isLong: true })
  }

  async function abort({ key, uploadId }: Multipart): Promise<void> {
    const asked = { ...at(key), UploadId: uploadId }
    await send((client) => client.send(new AbortMultipartUploadCommand(asked))).catch((error) => {
      if (!isMissing(error) && !isNoSuchUpload(error)) throw error
    })
  }

  /** Runs `work` for each part, a few at a time, and completes the upload. Aborts the upload when it throws. */
  async function inParts(
    key: string,
    sizeBytes: number,
    minPartBytes: number,
    work: (multipart: Multipart, number: number, part: { start: number; sizeBytes: number }) => Promise<void>,
  ): Promise<void> {
    const partBytes = Math.max(minPartBytes, Math.ceil(sizeBytes / maxMultipartParts))
    const starts = Array.from({ length: Math.ceil(sizeBytes / partBytes) }, (_, index) => index * partBytes)
    const multipart = await begin(key)
    const inTurn = pLimit(partsAtOnce)
    let hasFailed = false
    const bring = async (start: number, index: number) => {
      if (hasFailed) return
      const part = { start, sizeBytes: Math.min(partBytes, sizeBytes - start) }
      await work(multipart, index + 1, part).catch((error) => {
        hasFailed = true
        throw error
      })
    }
    const done = await Promise.allSettled(starts.map((start, index) => inTurn(() => bring(start, index))))
    try {
      for (const result of done) if (result.status === 'rejected') throw result.reason
      await complete(multipart, await partsOf(multipart))
    } catch (error) {
      // The sweep finds an upload that cannot be aborted now.
      await abort(multipart).catch(() => undefined)
      throw error
    }
  }

  return {
    begin,
    putPart,
    etagOf,
    partsOf,
    complete,
    abort,

    put: (path: string, key: string, sizeBytes: number): Promise<void> =>
      inParts(key, sizeBytes, putPartBytes, async (multipart, number, part) => {
        await putPart(multipart, number, { path, ...part })
      }),

    copy: (key: string, target: string, sizeBytes: number): Promise<void> =>
      inParts(target, sizeBytes, copyPartBytes, async ({ uploadId }, number, { start, sizeBytes }) => {
        const part = {
          UploadId: uploadId,
          PartNumber: number,
          CopySourceRange: `bytes=${start}-${start + sizeBytes - 1}`,
        }
        const asked = { ...at(target), ...part, CopySource: sourceOf(key) }
        await send((client) => client.send(new UploadPartCopyCommand(asked)), { isLong: true })
      }),

    async *list(folder: string): AsyncGenerator<Multipart & { begunAt: number }> {
      for (let marker = {}, isLast = false; !isLast; ) {
        const asked = { Bucket, Prefix: `${prefix}${folder}/`, ...marker }
        const page = await send((client) => client.send(new ListMultipartUploadsCommand(asked)))
        for (const { Key = '', UploadId: uploadId = '', Initiated } of page.Uploads ?? []) {
          yield { key: Key.slice(prefix.length), uploadId, begunAt: Initiated?.getTime() ?? Date.now() }
        }
        marker = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
        isLast = !page.IsTruncated || !page.NextKeyMarker
      }
    },
  }
}

/** Only some stores put it in quotation marks. */
const bare = (etag: string): string => etag.replaceAll('"', '')

export const isNoSuchUpload = (error: unknown): boolean => (error as Error).name === 'NoSuchUpload'
