import { BackupProblem } from '../backups/backup-problem.ts'
import { CopyDiffers } from '../platform/database/copy-tables.ts'
import { DatabaseUnavailable } from '../platform/database/database-unavailable.ts'
import { DatabaseNotEmpty } from '../platform/database/unfinished-copy.ts'
import { StorageFull, StorageUnavailable } from '../platform/storage/storage.ts'

/** What disks and folders refuse, in the words of the system. */
const ofTheSystem = ['ENOSPC', 'EACCES', 'EPERM', 'EROFS', 'EIO', 'ENOENT', 'ENOTDIR', 'EDQUOT', 'SQLITE_FULL']

const expected = [BackupProblem, StorageUnavailable, DatabaseUnavailable, DatabaseNotEmpty, CopyDiffers]

function lineOf(error: Error & { code?: string }): string | null {
  if (error instanceof StorageFull) return 'There is no room left on the disk.'
  const isExpected = expected.some((kind) => error instanceof kind)
  return isExpected || ofTheSystem.includes(error.code ?? '') ? error.message : null
}

/** Says in one line what has kept a backup or a restore from being made. */
export async function toldInOneLine(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const line = lineOf(error as Error)
    if (line === null) throw error
    console.error(line)
    process.exitCode = 1
  }
}
