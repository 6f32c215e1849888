import { existsSync } from 'node:fs'
import { BackupProblem } from '../backups/backup-problem.ts'
import { recordVerification } from '../backups/backup-rows.ts'
import { databaseLocation } from '../create-app-context.ts'
import type { Config } from '../platform/config.ts'
import { withAppContext } from './with-app-context.ts'

/** Opening a missing SQLite database would create it. */
function hasInstance(config: Config): boolean {
  const place = databaseLocation(config)
  return 'url' in place || existsSync(place.file)
}

/** Throws BackupProblem. */
export function assertInstance(config: Config): void {
  if (hasInstance(config)) return
  throw new BackupProblem(
    'no_instance',
    `There is nothing to back up in ${config.dataDir}: is DATA_DIR set as for the service?`,
  )
}

/** A verification can run without an instance. If the instance knows the backup, its health page shows the result. */
export async function recordInstanceVerification(
  config: Config,
  name: string,
  verified_problems: number,
): Promise<void> {
  if (!hasInstance(config)) return
  await withAppContext(async ({ db, clock }) => {
    await recordVerification(db, name, { verified_at: clock.now(), verified_problems })
  })
}
