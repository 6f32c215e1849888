import { OutcomeUnknown } from '../platform/database/database-unavailable.ts'
import type { Storage } from '../platform/storage/storage.ts'

/** If the outcome of the transaction is unknown, the files stay: a row without its file would be data loss. */
export async function rollBackFiles(storage: Storage, keys: readonly string[], error: unknown): Promise<void> {
  if (error instanceof OutcomeUnknown) return
  await Promise.all(keys.map(storage.remove))
}
