import { LRUCache } from 'lru-cache'
import { listWanted, type WantedFile } from '../backups/copy-files.ts'
import { countPhotoFiles, hasFile } from '../photos/list-photo-files.ts'
import { countRenditionFiles, listRenditionFiles } from '../photos/list-rendition-files.ts'
import { sideBySide } from '../platform/background/side-by-side.ts'
import type { Database } from '../platform/database/tables.ts'
import { ContentDigest } from '../platform/storage/content-digest.ts'
import { FileMissing, type Storage } from '../platform/storage/storage.ts'
import { writeStaged } from '../platform/storage/write-staged.ts'
import { findLogo } from '../settings/settings.ts'
import { MoveProblem } from './move-problem.ts'
import { groupOf, openMovedFiles } from './moved-files.ts'

const filesAtOnce = 6

export type StorageMove = {
  db: Database
  source: Storage
  target: Storage
  folder: string
  onProgress?: (progress: { files: number; totalFiles: number }) => void
}

/** Numbers of intact and of copied files, and the keys of missing and damaged ones. */
export type MovedFiles = { whole: number; copied: number; missing: string[]; damaged: string[] }

/**
 * Copies every file that a row names to the other storage and reads it back. It can be interrupted and repeated, also
 * beside a running service. Throws MoveProblem, StorageFull and StorageUnavailable.
 */
export async function moveStorage(move: StorageMove): Promise<MovedFiles> {
  const { db, onProgress = () => undefined } = move
  const files = filesToMove(move)
  const moved: MovedFiles = { whole: 0, copied: 0, missing: [], damaged: [] }
  const totalFiles = await countFiles(db)
  let seen = 0

  async function moveFile(wanted: WantedFile): Promise<void> {
    const { isCopied, contentHash } = await files.move(wanted)
    if (isCopied) moved.copied++
    if (contentHash === (wanted.contentHash ?? contentHash)) moved.whole++
    else moved.damaged.push(wanted.key)
  }

  for (const listing of [listWanted(db), listRenditionFiles(db)]) {
    for await (const page of listing) {
      await sideBySide(page, filesAtOnce, async (wanted) => {
        await moveFile(wanted).catch(async (error) => {
          if (!isLost(error)) throw error
          if (await mustBeThere(db, wanted)) moved.missing.push(wanted.key)
        })
        onProgress({ files: ++seen, totalFiles })
      })
    }
  }
  return moved
}

function filesToMove({ source, target, folder }: StorageMove) {
  const known = openMovedFiles(folder)
  const sizes = sizesByGroup(target)

  /** Null: the file must be copied. */
  async function hashThere({ key, sizeBytes, contentHash }: WantedFile): Promise<string | null> {
    if ((await sizes(groupOf(key))).get(key) !== sizeBytes) return null
    const remembered = await known.hashOf(key)
    if (remembered !== undefined) return contentHash === null || contentHash === remembered ? remembered : null
    const found = await hashAt(target, key)
    return found === (contentHash ?? (await hashAt(source, key))) ? found : null
  }

  return {
    async move(wanted: WantedFile): Promise<{ isCopied: boolean; contentHash: string }> {
      const there = await hashThere(wanted)
      const contentHash = there ?? (await copyFile(source, target, wanted))
      await known.note(wanted.key, contentHash)
      return { isCopied: there === null, contentHash }
    },
  }
}

function sizesByGroup(storage: Storage): (group: string) => Promise<Map<string, number>> {
  const lists = new LRUCache<string, Promise<Map<string, number>>>({ max: 16 })
  async function list(group: string): Promise<Map<string, number>> {
    const sizes = new Map<string, number>()
    for await (const { key, sizeBytes } of storage.list(group)) sizes.set(key, sizeBytes)
    return sizes
  }
  return (group) => {
    const listed = lists.get(group) ?? list(group)
    lists.set(group, listed)
    return listed
  }
}

/** Returns the hash of the written content. Throws MoveProblem if it reads back differently. */
async function copyFile(source: Storage, target: Storage, { key, sizeBytes }: WantedFile): Promise<string> {
  await target.ensureSpaceFor(sizeBytes)
  const staged = await writeStaged(target, await source.openStream(key, undefined, sizeBytes))
  try {
    await staged.synced
    await target.commit([{ stagedPath: staged.path, key }])
  } finally {
    await target.discard(staged.path)
  }
  const isSame = (await hashAt(target, key)) === staged.contentHash
  if (!isSame) throw new MoveProblem(`${key} does not read back as it was written.`)
  return staged.contentHash
}

async function hashAt(storage: Storage, key: string): Promise<string> {
  const digest = new ContentDigest()
  for await (const bytes of await storage.openStream(key)) digest.update(bytes)
  return digest.finish().contentHash
}

/** EIO: a damaged part of the disk. */
const isLost = (error: unknown): boolean =>
  error instanceof FileMissing || (error as NodeJS.ErrnoException).code === 'EIO'

/** False for photos deleted since, and for renditions, which can be created again. */
const mustBeThere = async (db: Database, { photoId, key }: WantedFile): Promise<boolean> =>
  photoId === null ? (await findLogo(db))?.key === key : hasFile(db, photoId, key)

const countFiles = async (db: Database): Promise<number> =>
  (await countPhotoFiles(db)) + (await countRenditionFiles(db)) + ((await findLogo(db)) ? 1 : 0)
