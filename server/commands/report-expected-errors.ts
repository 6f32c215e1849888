import { BackupProblem } from '../backups/backup-problem.ts'
import { CopyMismatch } from '../platform/database/copy-tables.ts'
import { DatabaseUnavailable } from '../platform/database/database-unavailable.ts'
import { DatabaseNotEmpty } from '../platform/database/unfinished-copy.ts'
import { StorageFull, StorageUnavailable } from '../platform/storage/storage.ts'

/** System errors whose message is clear enough for the operator. */
const systemErrorCodes = ['ENOSPC', 'EACCES', 'EPERM', 'EROFS', 'EIO', 'ENOENT', 'ENOTDIR', 'EDQUOT', 'SQLITE_FULL']

const expectedErrors = [BackupProblem, StorageUnavailable, DatabaseUnavailable, DatabaseNotEmpty, CopyMismatch]

function formatExpectedError(error: Error & { code?: string }): string | null {
  if (error instanceof StorageFull) return 'There is no room left on the disk.'
  const isExpected = expectedErrors.some((kind) => error instanceof kind)
  return isExpected || systemErrorCodes.includes(error.code ?? '') ? error.message : null
}

/** Prints expected errors in one line and sets the exit code. */
export async function reportExpectedErrors(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const line = formatExpectedError(error as Error)
    if (line === null) throw error
    console.error(line)
    process.exitCode = 1
  }
}
