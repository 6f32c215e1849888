import { countFiles, isStillNamed, listFiles } from '../backups/named-files.ts'
import { createSizeLookup, hashStoredFile } from '../backups/stored-sizes.ts'
import { mapConcurrent } from '../platform/background/map-concurrent.ts'
import type { Database } from '../platform/database/tables.ts'
import { FileMissing, type Storage } from '../platform/storage/storage.ts'
import { writeStaged } from '../platform/storage/write-staged.ts'
import { t } from '../platform/text/command-messages.ts'
import { registries } from '../registries.ts'
import type { StoredFile } from '../settings/belongings.ts'
import { MoveProblem } from './command-errors.ts'
import { openMovedFileLists } from './moved-file-lists.ts'

const maxConcurrentFiles = 6
const { storedFiles } = registries

export type StorageMove = {
  db: Database
  source: Storage
  target: Storage
  folder: string
  onProgress?: (progress: { files: number; totalFiles: number }) => void
}

/** `intact`: the number of correct files in the target, including those of earlier runs. `missing`, `damaged`: keys. */
export type MoveResult = { intact: number; copied: number; missing: string[]; damaged: string[] }

/**
 * Copies every file that a row names to the other storage and reads it back. The move can be interrupted and repeated,
 * and the service may run at the same time. Throws MoveProblem, StorageFull and StorageUnavailable.
 */
export async function moveStorage(move: StorageMove): Promise<MoveResult> {
  const { db, onProgress = () => undefined } = move
  const moveVerified = createFileMover(move)
  const moved: MoveResult = { intact: 0, copied: 0, missing: [], damaged: [] }
  const totalFiles = await countFiles(storedFiles, db)
  let processedFiles = 0

  async function moveFile(mediaFile: StoredFile): Promise<void> {
    const { isCopied, contentHash } = await moveVerified(mediaFile)
    if (isCopied) moved.copied++
    if (contentHash === (mediaFile.contentHash ?? contentHash)) moved.intact++
    else moved.damaged.push(mediaFile.key)
  }

  for await (const page of listFiles(storedFiles, db)) {
    await mapConcurrent(page, maxConcurrentFiles, async (file) => {
      await moveFile(file).catch(async (error) => {
        if (!isUnreadable(error)) throw error
        // Photos that were deleted in between, and renditions, which can be created again, do not count as missing.
        if (await isStillNamed(storedFiles, db, file)) moved.missing.push(file.key)
      })
      onProgress({ files: ++processedFiles, totalFiles })
    })
  }
  return moved
}

function createFileMover({ source, target, folder }: StorageMove) {
  const movedFiles = openMovedFileLists(folder)
  const storedSize = createSizeLookup(target)

  /** Returns null if the file must be copied, because the target has no intact copy. */
  async function findTargetHash({ key, sizeBytes, contentHash }: StoredFile): Promise<string | null> {
    if ((await storedSize(key)) !== sizeBytes) return null
    const remembered = await movedFiles.hashOf(key)
    if (remembered !== undefined) return contentHash === null || contentHash === remembered ? remembered : null
    const found = await hashStoredFile(target, key)
    return found === (contentHash ?? (await hashStoredFile(source, key))) ? found : null
  }

  return async (mediaFile: StoredFile): Promise<{ isCopied: boolean; contentHash: string }> => {
    const targetHash = await findTargetHash(mediaFile)
    const contentHash = targetHash ?? (await copyFile(source, target, mediaFile))
    await movedFiles.record(mediaFile.key, contentHash)
    return { isCopied: targetHash === null, contentHash }
  }
}

/** Returns the hash of the written content. Throws MoveProblem if the file in the target has another hash. */
async function copyFile(source: Storage, target: Storage, { key, sizeBytes }: StoredFile): Promise<string> {
  await target.ensureSpaceFor(sizeBytes)
  const staged = await writeStaged(target, await source.openStream(key, undefined, sizeBytes))
  try {
    await staged.synced
    await target.commit([{ stagedPath: staged.path, key }])
  } finally {
    await target.discard(staged.path)
  }
  const isSame = (await hashStoredFile(target, key)) === staged.contentHash
  if (!isSame) throw new MoveProblem(t('copyDiffers', { file: key }))
  return staged.contentHash
}

/** EIO: a damaged part of the disk. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof FileMissing || (error as NodeJS.ErrnoException).code === 'EIO'
