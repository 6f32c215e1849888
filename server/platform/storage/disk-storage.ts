import { createReadStream, type Stats } from 'node:fs'
import { access, constants, type FileHandle, mkdir, open, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pLimit from 'p-limit'
import { must } from '../../../contract/must.ts'
import { createFileReader } from './byte-readers.ts'
import { createFolders, type Folders } from './disk-folders.ts'
import { createDiskMultipartFiles } from './disk-multipart-files.ts'
import { createSpaceTracker } from './free-space.ts'
import { foldersIn, isMissing, listFolder, removeEmptyFolders, removeFolder, removeOlderFiles } from './list-folder.ts'
import { createStaging } from './staging.ts'
import { assertStorageKey, FileDenied, FileMissing, type Storage } from './storage.ts'

/** File reads and fsync share 12 threads (see `bin/start.js`). This limit leaves most of them free for reads. */
const maxConcurrentSyncs = 4

/** Everything is on one file system, so that a commit is a rename. */
export function createDiskStorage(root: string): Storage {
  const filesRoot = join(root, 'files')
  const multipartRoot = join(root, 'parted')
  const staging = createStaging(join(root, 'staging'))
  const limitedSync = pLimit(maxConcurrentSyncs)
  const pathOf = (key: string) => join(filesRoot, assertStorageKey(key))
  const folders = createFolders(filesRoot, limitedSync)
  const multipartFiles = createDiskMultipartFiles({ root: multipartRoot, staging, limitedSync })
  const freeSpace = createSpaceTracker(root)

  return {
    stage: staging.path,
    discard: staging.discard,
    sync: (staged) => limitedSync(() => staged.sync()),

    async commit(files) {
      const paths = files.map(({ key }) => pathOf(key))
      for (const [index, { stagedPath }] of files.entries())
        await folders.moveInto(stagedPath, must(paths[index], 'the path of a file'))
      for (const { stagedPath } of files) staging.forget(stagedPath)
      await Promise.all([...new Set(paths.map((path) => dirname(path)))].map(folders.sync))
    },

    ...createReads(pathOf),
    ...createQuarantine(join(root, 'lost+found'), pathOf, folders),

    // Recursive: a folder in the place of a file is damage, and must not prevent a repair.
    remove: (key) => rm(pathOf(key), { force: true, recursive: true }),
    multipart: multipartFiles,
    removePrefix: async (prefix) => {
      await multipartFiles.removePrefix(prefix)
      folders.forget(pathOf(prefix))
      await removeFolder(pathOf(prefix))
    },

    async listFolders(prefix) {
      const roots = [filesRoot, multipartRoot].map((folder) => join(folder, assertStorageKey(prefix)))
      return [...new Set((await Promise.all(roots.map(foldersIn))).flat())]
    },

    async removeEmptyFolders(prefix) {
      folders.forget(pathOf(prefix))
      await removeEmptyFolders(pathOf(prefix))
      await multipartFiles.removeEmptyFolders(prefix)
    },

    list: (prefix) => listFolder(filesRoot, prefix),
    clearLeftovers: staging.clearLeftovers,
    ensureSpaceFor: freeSpace.reserve,
    space: async () => ({ ...(await freeSpace.space()), isUnlimited: false }),
    downloadUrl: async () => null,
    check: () => access(root, constants.W_OK),
    close: async () => {
      await Promise.all([folders.close(), multipartFiles.close()])
    },
  }
}

function createReads(
  pathOf: (key: string) => string,
): Pick<Storage, 'readSmallFile' | 'openStream' | 'openReader' | 'withLocalFile'> {
  async function openOfSize(key: string, sizeBytes?: number): Promise<FileHandle> {
    const handle = await open(pathOf(key), 'r').catch(asMissing(key))
    if (sizeBytes === undefined || isWhole(await handle.stat(), sizeBytes)) return handle
    await handle.close()
    throw new FileMissing(key)
  }

  return {
    async readSmallFile(key, sizeBytes) {
      const handle = await open(pathOf(key), 'r').catch(asMissing(key))
      // Awaits two disk operations instead of the four of readFile, because during uploads each waits for a thread.
      const reading = handle.read(Buffer.allocUnsafeSlow(sizeBytes), 0, sizeBytes, 0)
      const { buffer, bytesRead } = await reading.catch(asMissing(key)).finally(() => void handle.close())
      return buffer.subarray(0, bytesRead)
    },

    async openStream(key, range, sizeBytes) {
      const handle = await openOfSize(key, sizeBytes)
      return createReadStream('', { fd: handle, highWaterMark: 256 * 1024, ...range })
    },

    async openReader(key, range, sizeBytes) {
      return createFileReader(await openOfSize(key, sizeBytes), range)
    },

    async withLocalFile(key, use, sizeBytes) {
      await access(pathOf(key), constants.R_OK).catch(asMissing(key))
      const isOther = sizeBytes !== undefined && !isWhole(await stat(pathOf(key)).catch(asMissing(key)), sizeBytes)
      if (isOther) throw new FileMissing(key)
      return use(pathOf(key))
    },
  }
}

function createQuarantine(
  root: string,
  pathOf: (key: string) => string,
  folders: Folders,
): Pick<Storage, 'quarantine' | 'restoreQuarantined' | 'listQuarantined' | 'pruneQuarantine'> {
  const quarantinePath = (key: string) => join(root, assertStorageKey(key))

  return {
    async quarantine(key) {
      const target = quarantinePath(key)
      await mkdir(dirname(target), { recursive: true })
      try {
        await rename(pathOf(key), target)
        await utimes(target, new Date(), new Date())
      } catch (error) {
        if (!isMissing(error)) throw error
      }
    },

    async restoreQuarantined(key) {
      await folders.moveInto(quarantinePath(key), pathOf(key)).catch(asMissing(key))
      await folders.sync(dirname(pathOf(key)))
    },

    listQuarantined: () => listFolder(root, ''),

    pruneQuarantine: (keepDays) =>
      removeOlderFiles(listFolder(root, ''), keepDays, (key) => rm(join(root, key), { force: true })),
  }
}

/** A path that cannot be read as a file counts as missing, so that the file can be made again where possible. */
const asMissing = (key: string) => (error: unknown) => {
  const { code = '' } = error as NodeJS.ErrnoException
  if (code === 'EACCES') throw new FileDenied(key)
  throw isMissing(error) || code === 'EISDIR' || code === 'ELOOP' ? new FileMissing(key) : error
}

const isWhole = (found: Stats, sizeBytes: number): boolean => found.isFile() && found.size === sizeBytes
