import { join } from 'node:path'
import { listBackups, removeBackup } from './backup-folder.ts'
import type { ContentStore } from './content-store.ts'
import { listBackupFiles } from './read-file-list.ts'

/** The number of hash prefixes per pass. Each pass reads the file list of every remaining backup once. */
const prefixesPerPass = 64
const prefixes = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0'))

/**
 * Keeps the newest `keep` backups and returns the names of the removed ones. Unused contents that remain after a crash
 * are removed by the next call.
 */
export async function pruneBackups(folder: string, store: ContentStore, keep: number): Promise<string[]> {
  const complete = await listBackups(folder)
  const removed = complete.slice(0, Math.max(0, complete.length - keep))
  for (const name of removed) await removeBackup(folder, name)
  const keptPaths = complete.slice(removed.length).map((name) => join(folder, name))
  for (let first = 0; first < prefixes.length; first += prefixesPerPass) {
    await removeUnusedContents(store, keptPaths, prefixes.slice(first, first + prefixesPerPass))
  }
  return removed
}

/** Removes the contents with these hash prefixes that no backup uses. */
async function removeUnusedContents(
  store: ContentStore,
  backups: readonly string[],
  prefixBatch: readonly string[],
): Promise<void> {
  const batchPrefixes = new Set(prefixBatch)
  const usedHashes = new Set<string>()
  for (const path of backups) {
    for await (const { hash } of listBackupFiles(path))
      if (hash !== null && batchPrefixes.has(hash.slice(0, 2))) usedHashes.add(hash)
  }
  for (const prefix of prefixBatch) {
    for (const hash of await store.listByPrefix(prefix)) if (!usedHashes.has(hash)) await store.remove(hash)
  }
}
