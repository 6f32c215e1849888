import { access, constants } from 'node:fs/promises'
import type { S3Config } from '../configuration/config.ts'
import { hours } from '../time/clock.ts'
import { createSpaceTracker } from './free-space.ts'
import { removeOlderFiles } from './list-folder.ts'
import { createDownloader } from './s3-downloader.ts'
import { createS3MultipartFiles, filesFolder, objectKey, type S3Store } from './s3-multipart-files.ts'
import { S3Objects } from './s3-objects.ts'
import { createReaderStream, openS3Reader } from './s3-reader.ts'
import { createStaging } from './staging.ts'
import { assertStorageKey, type ByteReader, FileMissing, type Storage, type StoredFile } from './storage.ts'

const quarantineFolder = 'lost+found'
/** Some stores delete objects one after another and respond after the last, so a large batch could time out. */
const deletionBatchSize = 100
const maxConcurrentDeletions = 4
/** The maximum duration of an upload. Added to the date of a multipart object, which is the start of its upload. */
const maxUploadMs = hours(24)

/** `stagingRoot` is a local folder for incoming files and copies. Each list request asks for `keysPerPage` keys. */
export function createS3Storage(s3: S3Config, stagingRoot: string, keysPerPage?: number): Storage {
  const objects = new S3Objects(s3, keysPerPage)
  const staging = createStaging(stagingRoot)
  const freeSpace = createSpaceTracker(stagingRoot)
  const download = createDownloader(objects, staging, freeSpace)
  const store: S3Store = { objects, staging, download, finalKeysByPath: new Map() }

  return {
    stage: staging.path,
    discard: staging.discard,
    // Staged files are uploaded before the response, so they need not be durable on the local disk.
    sync: async () => {},

    async commit(files) {
      const done = await Promise.allSettled(files.map((file) => commitOne(store, file)))
      for (const result of done) if (result.status === 'rejected') throw result.reason
    },

    ...createReads(store),
    async downloadUrl(key, as) {
      if (!s3.presignedRedirects) return null
      if ((await objects.findSize(objectKey(key))) !== as.sizeBytes) throw new FileMissing(key)
      return objects.signedUrl(objectKey(key), as)
    },

    async remove(key) {
      const object = objectKey(key)
      if (![...store.finalKeysByPath.values()].includes(key)) await objects.remove(object)
    },

    multipart: createS3MultipartFiles(store),
    ...createFolderOperations(objects),
    ...createQuarantine(store),
    clearLeftovers: staging.clearLeftovers,
    ensureSpaceFor: freeSpace.reserve,
    space: async () => ({ ...(await freeSpace.space()), isUnlimited: true }),

    async check() {
      await objects.check()
      await staging.ready
      await access(stagingRoot, constants.W_OK)
    },

    async close() {
      objects.close()
    },
  }
}

type StagedFile = { stagedPath: string; key: string }

async function commitOne({ objects, staging, finalKeysByPath }: S3Store, { stagedPath, key }: StagedFile) {
  const finalKey = finalKeysByPath.get(stagedPath)
  if (finalKey === key) return
  if (finalKey === undefined || !(await objects.copy(objectKey(finalKey), objectKey(key)))) {
    await objects.put(stagedPath, objectKey(key))
  }
  await staging.discard(stagedPath)
}

function createReads({
  objects,
  download,
}: S3Store): Pick<Storage, 'readSmallFile' | 'openStream' | 'openReader' | 'withLocalFile'> {
  return {
    async readSmallFile(key, sizeBytes) {
      const range = { start: 0, end: Math.max(0, sizeBytes - 1) }
      return readWhole(await openS3Reader(objects, objectKey(key), range, undefined), sizeBytes)
    },
    openStream: async (key, range, sizeBytes) =>
      createReaderStream(await openS3Reader(objects, objectKey(key), range, sizeBytes)),
    openReader: async (key, range, sizeBytes) => openS3Reader(objects, objectKey(key), range, sizeBytes),
    withLocalFile: async (key, use, sizeBytes) => download(objectKey(key), { sizeBytes }, use),
  }
}

async function readWhole(reader: ByteReader, sizeBytes: number): Promise<Buffer> {
  const whole = Buffer.allocUnsafeSlow(sizeBytes)
  let length = 0
  try {
    for (let more = -1; more !== 0 && length < sizeBytes; length += more) {
      more = await reader.read(whole.subarray(length))
    }
  } finally {
    await reader.close()
  }
  return whole.subarray(0, length)
}

function createFolderOperations(
  objects: S3Objects,
): Pick<Storage, 'removePrefix' | 'listFolders' | 'removeEmptyFolders' | 'list'> {
  return {
    async removePrefix(prefix) {
      const folder = objectKey(prefix)
      for await (const upload of objects.uploads.list(folder)) await objects.uploads.abort(upload)
      let keys: string[] = []
      for await (const { key } of objects.list(folder)) {
        if (keys.push(key) < maxConcurrentDeletions * deletionBatchSize) continue
        await removeMany(objects, keys)
        keys = []
      }
      await removeMany(objects, keys)
    },

    async listFolders(prefix) {
      const names = new Set(await objects.listFolders(objectKey(prefix)))
      const depth = objectKey(prefix).split('/').length
      for await (const { key } of objects.uploads.list(objectKey(prefix))) names.add(key.split('/')[depth] ?? '')
      return [...names]
    },

    removeEmptyFolders: async () => {},

    async *list(prefix) {
      for await (const { etag, ...file } of listIn(objects, filesFolder, prefix)) {
        const isMultipart = /-\d+"?$/.test(etag)
        yield isMultipart ? { ...file, modifiedAt: file.modifiedAt + maxUploadMs } : file
      }
    },
  }
}

async function removeMany(objects: S3Objects, keys: readonly string[]): Promise<void> {
  const batches: Array<readonly string[]> = []
  for (let start = 0; start < keys.length; start += deletionBatchSize)
    batches.push(keys.slice(start, start + deletionBatchSize))
  await Promise.all(batches.map((batch) => objects.removeAll(batch)))
}

async function* listIn(
  objects: S3Objects,
  folder: string,
  prefix: string,
): AsyncGenerator<StoredFile & { etag: string }> {
  for await (const file of objects.list(prefix === '' ? folder : `${folder}/${prefix}`)) {
    yield { ...file, key: file.key.slice(folder.length + 1) }
  }
}

function createQuarantine({
  objects,
  download,
}: S3Store): Pick<Storage, 'quarantine' | 'restoreQuarantined' | 'listQuarantined' | 'pruneQuarantine'> {
  const quarantineKey = (key: string) => `${quarantineFolder}/${assertStorageKey(key)}`

  /** Downloads and uploads the file only when the store does not copy it correctly. */
  async function move(from: string, to: string): Promise<void> {
    if (!(await objects.copy(from, to))) await download(from, {}, (path) => objects.put(path, to))
    await objects.remove(from)
  }

  return {
    async quarantine(key) {
      await move(objectKey(key), quarantineKey(key)).catch((error) => {
        if (!(error instanceof FileMissing)) throw error
      })
    },

    restoreQuarantined: async (key) => move(quarantineKey(key), objectKey(key)),

    async *listQuarantined() {
      for await (const { key, sizeBytes, modifiedAt } of listIn(objects, quarantineFolder, ''))
        yield { key, sizeBytes, modifiedAt }
    },

    pruneQuarantine: (keepDays) =>
      removeOlderFiles(objects.list(quarantineFolder), keepDays, (key) => objects.remove(key)),
  }
}
