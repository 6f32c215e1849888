import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { migrations } from '../migrations/migrations.ts'
import type { Config } from '../platform/config.ts'
import type { CopiedTable, CopyOptions } from '../platform/database/copy-tables.ts'
import { fillPostgres } from '../platform/database/fill-postgres.ts'
import { openExclusively } from '../platform/database/open-exclusively.ts'
import { loadSecrets } from '../platform/secrets.ts'
import { MoveProblem } from './move-problem.ts'

/**
 * Also copies the secrets; otherwise encrypted values would be unreadable and all sessions would end. The file is
 * locked during the copy. Throws MoveProblem, DatabaseInUse, and what `fillPostgres` throws.
 */
export async function moveDatabase(
  config: Config,
  url: string,
  { onProgress }: Pick<CopyOptions, 'onProgress'> = {},
): Promise<CopiedTable[]> {
  const file = join(config.dataDir, 'proofroom.db')
  if (!existsSync(file)) throw new MoveProblem(`There is no SQLite database in ${config.dataDir}.`)
  const source = openExclusively(file)
  try {
    return await fillPostgres({
      url,
      migrations,
      source: source.db,
      sourceVersion: source.version,
      excludedTables: ['kept_secrets'],
      finish: async (db) => {
        await loadSecrets(config, { kind: 'postgres', db })
      },
      ...(onProgress && { onProgress }),
    })
  } finally {
    await source.close()
  }
}
