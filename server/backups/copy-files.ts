import { open } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type { BackupFile } from '../../contract/instance/backups.ts'
import { mapConcurrent } from '../platform/background/map-concurrent.ts'
import type { Database } from '../platform/database/tables.ts'
import { FileDenied, FileMissing, StorageUnavailable } from '../platform/storage/storage.ts'
import { seconds } from '../platform/time/clock.ts'
import type { AppContext } from '../settings/app-context.ts'
import type { StoredFile } from '../settings/belongings.ts'
import type { ContentStore } from './content-store.ts'
import { countFiles, isStillNamed, listedInBackups, listFiles } from './named-files.ts'

const maxConcurrentFiles = 6

/** `denied`: how many of the `missing` are there, but cannot be read by this user. */
export type CopiedFileTotals = Record<BackupFile['state'], number> & {
  denied: number
  bytes: number
  copiedBytes: number
}

export type CopyProgress = { files: number; totalFiles: number; copiedBytes: number }

/**
 * Stores the content of each file that a row of `copy` names, and writes the list of these files in the order of
 * the registry. A file is not read if its hash is recorded and `store` has the content. Missing, denied or damaged
 * files do not stop the backup.
 */
export async function copyFiles(
  ctx: AppContext,
  copy: Database,
  store: ContentStore,
  listPath: string,
  onProgress: (progress: CopyProgress) => void,
): Promise<CopiedFileTotals> {
  const totals: CopiedFileTotals = { kept: 0, damaged: 0, deleted: 0, missing: 0, denied: 0, bytes: 0, copiedBytes: 0 }
  const { storedFiles } = ctx
  const totalFiles = await countFiles(listedInBackups(storedFiles), copy)
  let files = 0

  async function backUpFile(mediaFile: StoredFile): Promise<string> {
    const { file, copiedBytes, isDenied = false } = await copyFile(ctx, store, mediaFile)
    totals[file.state]++
    if (isDenied) totals.denied++
    if (file.hash !== null) totals.bytes += file.size
    totals.copiedBytes += copiedBytes
    onProgress({ files: ++files, totalFiles, copiedBytes: totals.copiedBytes })
    return `${JSON.stringify(file)}\n`
  }

  const list = await open(listPath, 'w', 0o600)
  try {
    for await (const page of listFiles(listedInBackups(storedFiles), copy)) {
      const lines = await mapConcurrent(page, maxConcurrentFiles, backUpFile)
      await list.write(lines.join(''))
    }
    await list.sync()
  } finally {
    await list.close()
  }
  await store.sync()
  return totals
}

async function copyFile(
  ctx: AppContext,
  store: ContentStore,
  mediaFile: StoredFile,
): Promise<{ file: BackupFile; copiedBytes: number; isDenied?: boolean }> {
  const { key, sizeBytes: size, contentHash: hash } = mediaFile
  if (hash !== null && (await store.has(hash, size)))
    return { file: { key, size, hash, state: 'kept' }, copiedBytes: 0 }
  try {
    const content = await retryWhileUnavailable(async () =>
      store.put(await ctx.storage.openStream(key, undefined, size)),
    )
    const isSame = content.sizeBytes === size && (hash === null || content.contentHash === hash)
    const state = isSame ? 'kept' : 'damaged'
    const file = { key, size: content.sizeBytes, hash: content.contentHash, state } as const
    return { file, copiedBytes: content.isNew ? content.sizeBytes : 0 }
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error
    const state = (await isStillNamed(ctx.storedFiles, ctx.db, mediaFile)) ? 'missing' : 'deleted'
    return { file: { key, size, hash: null, state }, copiedBytes: 0, isDenied: error instanceof FileDenied }
  }
}

const retryDelaysSeconds = [1, 5, 20]

/** Retries up to three times while the storage is unavailable, so that a short outage does not fail the backup. */
async function retryWhileUnavailable<T>(work: () => Promise<T>): Promise<T> {
  for (const delaySeconds of retryDelaysSeconds) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error
      await setTimeout(seconds(delaySeconds))
    }
  }
  return work()
}
