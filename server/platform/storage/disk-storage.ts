import { createReadStream } from 'node:fs'
import { access, constants, mkdir, open, readdir, rename, rm, stat, statfs, utimes } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { createTurns } from '../background/turns.ts'
import { days } from '../clock.ts'
import { createStaging } from './staging.ts'
import { type ByteRange, FileMissing, type Storage, StorageFull, type StoredFile } from './storage.ts'

/** File reads share libuv's threads with fsync; most of the threads stay free for reads however slow the disk. */
const syncsAtOnce = 4
const alwaysFreeBytes = 2 ** 30
const alwaysFreeShare = 0.02

/**
 * Media in a folder: staging, `files/<key>`, `lost+found/<key>`, all on one file system, so that a commit is a rename.
 */
export function createDiskStorage(root: string): Storage {
  const filesRoot = join(root, 'files')
  const asideRoot = join(root, 'lost+found')
  const staging = createStaging(join(root, 'staging'))
  const inSyncTurn = createTurns(syncsAtOnce)
  const pathOf = (key: string) => join(filesRoot, checked(key))

  const syncPath = (path: string) =>
    inSyncTurn(async () => {
      const handle = await open(path, 'r')
      try {
        await handle.sync()
      } finally {
        await handle.close()
      }
    })

  const makeFolder = createFolders(filesRoot, syncPath)

  return {
    stage: staging.path,
    discard: (stagedPath) => rm(stagedPath, { force: true }),
    sync: syncPath,

    async commit(files) {
      const folders = new Set<string>()
      for (const { stagedPath, key } of files) {
        const path = pathOf(key)
        await makeFolder(dirname(path))
        await rename(stagedPath, path)
        folders.add(dirname(path))
      }
      await Promise.all([...folders].map(syncPath))
    },

    async readWhole(key, sizeBytes) {
      const handle = await open(pathOf(key), 'r').catch(asMissing(key))
      // Two turns with the disk instead of the four of readFile: beside uploads each one waits its turn.
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafeSlow(sizeBytes), 0, sizeBytes, 0)
      void handle.close()
      return buffer.subarray(0, bytesRead)
    },

    async openStream(key: string, range?: ByteRange) {
      const handle = await open(pathOf(key), 'r').catch(asMissing(key))
      return createReadStream('', { fd: handle, highWaterMark: 256 * 1024, ...range })
    },

    remove: (key) => rm(pathOf(key), { force: true }),
    removePrefix: (prefix) => rm(pathOf(prefix), { recursive: true, force: true }),

    async setAside(key) {
      const target = join(asideRoot, checked(key))
      await mkdir(dirname(target), { recursive: true })
      try {
        await rename(pathOf(key), target)
        await utimes(target, new Date(), new Date())
      } catch (error) {
        if (!isMissing(error)) throw error
      }
    },

    list: (prefix) => walk(join(filesRoot, prefix), filesRoot),

    async pruneSetAside(keepDays) {
      let left = 0
      for await (const { key, modifiedAt } of walk(asideRoot, asideRoot)) {
        if (Date.now() - modifiedAt > days(keepDays)) await rm(join(asideRoot, key), { force: true })
        else left++
      }
      return left
    },

    clearLeftovers: staging.clearLeftovers,

    async ensureSpaceFor(bytes) {
      const { bavail, blocks, bsize } = await statfs(root)
      const mustStayFree = Math.min(alwaysFreeBytes, blocks * bsize * alwaysFreeShare)
      if (bavail * bsize - bytes < mustStayFree) throw new StorageFull()
    },

    check: () => access(root, constants.W_OK),
  }
}

/** Makes folders, durable together with every missing one above them when it resolves. */
function createFolders(root: string, sync: (path: string) => Promise<void>) {
  const underWay = new Map<string, Promise<void>>()

  async function make(folder: string): Promise<void> {
    const firstMade = await mkdir(folder, { recursive: true })
    if (firstMade === undefined) return
    for (let made = folder; made.length >= firstMade.length && made !== root; made = dirname(made)) {
      await sync(dirname(made))
    }
  }

  return async (folder: string): Promise<void> => {
    const known = underWay.get(folder)
    if (known) return known
    const made = make(folder).finally(() => underWay.delete(folder))
    underWay.set(folder, made)
    return made
  }
}

async function* walk(folder: string, root: string): AsyncIterable<StoredFile> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* walk(path, root)
    else {
      const found = await stat(path).catch(() => null)
      if (found) yield { key: relative(root, path), sizeBytes: found.size, modifiedAt: found.mtimeMs }
    }
  }
}

/** The guard of every key: plain segments only, so that none can climb out of the storage. */
function checked(key: string): string {
  const isPlain = key.split('/').every((segment) => /^[a-z0-9_][a-z0-9_.-]*$/i.test(segment))
  if (!isPlain) throw new Error('A storage key must be made of plain segments')
  return key
}

const isMissing = (error: unknown): boolean => {
  const code = (error as NodeJS.ErrnoException).code
  return code === 'ENOENT' || code === 'ENOTDIR'
}

const asMissing = (key: string) => (error: unknown) => {
  throw isMissing(error) ? new FileMissing(key) : error
}
