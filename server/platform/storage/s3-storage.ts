import { access, constants } from 'node:fs/promises'
import { days, hours } from '../clock.ts'
import type { S3Config } from '../config.ts'
import { createFreeSpace } from './free-space.ts'
import type { StoredFile } from './parted-files.ts'
import { createFetch } from './s3-fetch.ts'
import { openS3Objects } from './s3-objects.ts'
import { createS3MultipartFiles } from './s3-parted-files.ts'
import { openS3Reader, streamOf } from './s3-reader.ts'
import { createStaging } from './staging.ts'
import { FileMissing, type Storage, StorageFull } from './storage.ts'
import { checked } from './storage-keys.ts'

const filesFolder = 'files'
const asideFolder = 'lost+found'
/** Some stores delete objects one after another, and respond after the last. */
const removedAtOnce = 100
const removalsAtOnce = 4
/** Stores date multipart objects by the start of the upload, which may be a day ago. */
const maxOnItsWayMs = hours(24)

/**
 * A file in parts is a multipart upload under its key in `files`. `stagingRoot` is a local folder for incoming files
 * and local copies; lists request `keysPerPage` keys at a time, by default the 1,000 of a store.
 */
export function createS3Storage(s3: S3Config, stagingRoot: string, keysPerPage?: number): Storage {
  const objects = openS3Objects(s3, keysPerPage)
  const staging = createStaging(stagingRoot)
  const freeSpace = createFreeSpace(stagingRoot)
  const fetch = createFetch(objects, staging, freeSpace)
  const lent = new Map<string, string>()
  const { close: closeMultipart, ...parted } = createS3MultipartFiles({ objects, staging, fetch, filesFolder, lent })
  const rawKey = (key: string) => `${filesFolder}/${checked(key)}`
  const asideKey = (key: string) => `${asideFolder}/${checked(key)}`

  async function commitOne({ stagedPath, key }: { stagedPath: string; key: string }): Promise<void> {
    const settledKey = lent.get(stagedPath)
    if (settledKey === key) return
    if (settledKey === undefined || !(await objects.copy(rawKey(settledKey), rawKey(key)))) {
      await objects.put(stagedPath, rawKey(key))
    }
    await staging.discard(stagedPath)
  }

  /** Downloads and uploads the file only when the store does not copy it correctly. */
  async function move(from: string, to: string): Promise<void> {
    if (!(await objects.copy(from, to))) await fetch(from, {}, (path) => objects.put(path, to))
    await objects.remove(from)
  }

  async function removeMany(keys: readonly string[]): Promise<void> {
    const lots: Array<readonly string[]> = []
    for (let start = 0; start < keys.length; start += removedAtOnce) lots.push(keys.slice(start, start + removedAtOnce))
    await Promise.all(lots.map(objects.removeAll))
  }

  async function* listIn(folder: string, prefix: string): AsyncGenerator<StoredFile & { etag: string }> {
    for await (const file of objects.list(prefix === '' ? folder : `${folder}/${prefix}`)) {
      yield { ...file, key: file.key.slice(folder.length + 1) }
    }
  }

  return {
    stage: staging.path,
    discard: staging.discard,
    // The local disk is not durable: its files are uploaded before the response.
    sync: async () => {},

    async commit(files) {
      const done = await Promise.allSettled(files.map(commitOne))
      for (const result of done) if (result.status === 'rejected') throw result.reason
    },

    async readWhole(key, sizeBytes) {
      const reader = await openS3Reader(objects, rawKey(key), { start: 0, end: Math.max(0, sizeBytes - 1) }, undefined)
      const whole = Buffer.allocUnsafeSlow(sizeBytes)
      let length = 0
      try {
        for (let more = -1; more !== 0 && length < sizeBytes; length += more)
          more = await reader.read(whole.subarray(length))
      } finally {
        await reader.close()
      }
      return whole.subarray(0, length)
    },

    openStream: async (key, range, sizeBytes) => streamOf(await openS3Reader(objects, rawKey(key), range, sizeBytes)),
    openReader: async (key, range, sizeBytes) => openS3Reader(objects, rawKey(key), range, sizeBytes),
    withLocalFile: async (key, use, sizeBytes) => fetch(rawKey(key), { sizeBytes }, use),

    async remove(key) {
      const raw = rawKey(key)
      if (![...lent.values()].includes(key)) await objects.remove(raw)
    },

    async downloadUrl(key, as) {
      if (!s3.presignedRedirects) return null
      if ((await objects.sizeOf(rawKey(key))) !== as.sizeBytes) throw new FileMissing(key)
      return objects.signedUrl(rawKey(key), as)
    },

    parted,

    async removePrefix(prefix) {
      const folder = rawKey(prefix)
      for await (const multipart of objects.multiparts.list(folder)) await objects.multiparts.abort(multipart)
      let keys: string[] = []
      for await (const { key } of objects.list(folder)) {
        if (keys.push(key) < removalsAtOnce * removedAtOnce) continue
        await removeMany(keys)
        keys = []
      }
      await removeMany(keys)
    },

    async listFolders(prefix) {
      const names = new Set(await objects.listFolders(rawKey(prefix)))
      const depth = rawKey(prefix).split('/').length
      for await (const { key } of objects.multiparts.list(rawKey(prefix))) names.add(key.split('/')[depth] ?? '')
      return [...names]
    },

    removeEmptyFolders: async () => {},

    async setAside(key) {
      const from = rawKey(key)
      await move(from, asideKey(key)).catch((error) => {
        if (!(error instanceof FileMissing)) throw error
      })
    },

    bringBack: async (key) => move(asideKey(key), rawKey(key)),

    async *list(prefix) {
      for await (const { etag, ...file } of listIn(filesFolder, prefix)) {
        const isOfParts = /-\d+"?$/.test(etag)
        yield isOfParts ? { ...file, modifiedAt: file.modifiedAt + maxOnItsWayMs } : file
      }
    },

    async pruneSetAside(keepDays) {
      let left = 0
      for await (const { key, modifiedAt } of objects.list(asideFolder)) {
        if (Date.now() - modifiedAt > days(keepDays)) await objects.remove(key)
        else left++
      }
      return left
    },

    clearLeftovers: staging.clearLeftovers,

    async ensureSpaceFor(bytes) {
      if (!(await freeSpace.take(bytes))) throw new StorageFull()
    },

    async *listSetAside() {
      for await (const { key, sizeBytes, modifiedAt } of listIn(asideFolder, '')) yield { key, sizeBytes, modifiedAt }
    },

    space: async () => ({ ...(await freeSpace.space()), isEndless: true }),

    async check() {
      await objects.check()
      await staging.ready
      await access(stagingRoot, constants.W_OK)
    },

    async close() {
      await closeMultipart()
      objects.close()
    },
  }
}
