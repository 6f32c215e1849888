import { OutcomeUnknown } from '../platform/database/database-unavailable.ts'
import type { Storage } from '../platform/storage/storage.ts'

/**
 * Removes the files of an operation that has failed. Where nobody knows whether its rows stand they stay, since a row without
 * its file would be a loss; the sweep finds those that no row names.
 */
export async function takeBackFiles(storage: Storage, keys: readonly string[], error: unknown): Promise<void> {
  if (error instanceof OutcomeUnknown) return
  await Promise.all(keys.map(storage.remove))
}
