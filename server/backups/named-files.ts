import type { Database } from '../platform/database/tables.ts'
import type { StoredFile, StoredFiles } from '../settings/belongings.ts'

/** Files that can be made again are not in backups. */
export const listedInBackups = (storedFiles: readonly StoredFiles[]): StoredFiles[] =>
  storedFiles.filter(({ isInBackups }) => isInBackups)

/** Yields the files in batches and in a stable order. */
export async function* listFiles(
  storedFiles: readonly StoredFiles[],
  db: Database,
): AsyncGenerator<StoredFile[], void> {
  for (const { list } of storedFiles) yield* list(db)
}

export async function countFiles(storedFiles: readonly StoredFiles[], db: Database): Promise<number> {
  let total = 0
  for (const { count } of storedFiles) total += await count(db)
  return total
}

/** `db` must be the current database of the instance, because a snapshot still has the rows of deleted photos. */
export async function isStillNamed(
  storedFiles: readonly StoredFiles[],
  db: Database,
  file: StoredFile,
): Promise<boolean> {
  for (const { isNamed } of storedFiles) if (await isNamed(db, file)) return true
  return false
}
