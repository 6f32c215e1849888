import type { Storage } from '../platform/storage/storage.ts'
import { writeStaged } from '../platform/storage/write-staged.ts'
import { type ContentStore, nullIfMissing } from './content-store.ts'
import type { FileWithContent } from './read-file-list.ts'

/** Returns false if the content is missing from the backup or damaged; then nothing is stored. */
export async function restoreFile(
  storage: Storage,
  store: ContentStore,
  { key, size, hash }: FileWithContent,
): Promise<boolean> {
  const source = await store.read(hash).catch(nullIfMissing)
  if (source === null) return false
  const staged = await writeStaged(storage, source)
  try {
    if (staged.contentHash !== hash || staged.sizeBytes !== size) return false
    await staged.synced
    await storage.commit([{ stagedPath: staged.path, key }])
    return true
  } finally {
    await storage.discard(staged.path)
  }
}
