import { join } from 'node:path'
import { listBackups, removeBackup } from './backup-folder.ts'
import type { ContentStore } from './content-store.ts'
import { listedFiles } from './listed-files.ts'

/** The number of hash prefixes per pass. Each pass reads all lists once. */
const startsAtOnce = 64
const starts = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0'))

/**
 * Keeps the newest `keep` backups and returns the removed names. A crash can leave unused contents, but never removes a
 * used one.
 */
export async function pruneBackups(folder: string, store: ContentStore, keep: number): Promise<string[]> {
  const complete = await listBackups(folder)
  const removed = complete.slice(0, Math.max(0, complete.length - keep))
  for (const name of removed) await removeBackup(folder, name)
  const kept = complete.slice(removed.length).map((name) => join(folder, name))
  for (let first = 0; first < starts.length; first += startsAtOnce) {
    await removeUnnamed(store, kept, starts.slice(first, first + startsAtOnce))
  }
  return removed
}

/** Batches limit the memory to a quarter of all hashes. */
async function removeUnnamed(store: ContentStore, backups: readonly string[], lot: readonly string[]): Promise<void> {
  const ofLot = new Set(lot)
  const named = new Set<string>()
  for (const path of backups) {
    for await (const { hash } of listedFiles(path)) if (hash !== null && ofLot.has(hash.slice(0, 2))) named.add(hash)
  }
  for (const start of lot) {
    for (const hash of await store.listOf(start)) if (!named.has(hash)) await store.remove(hash)
  }
}
