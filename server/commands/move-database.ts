import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { migrations } from '../migrations/migrations.ts'
import type { Config } from '../platform/config.ts'
import type { CopiedTable, CopyOptions } from '../platform/database/copy-tables.ts'
import { fillPostgres } from '../platform/database/fill-postgres.ts'
import { openAlone } from '../platform/database/open-alone.ts'
import { loadSecrets } from '../platform/secrets.ts'
import { MoveProblem } from './move-problem.ts'

/**
 * Copies the SQLite database of DATA_DIR into an empty PostgreSQL database, and its secrets with it: without them nothing
 * that is encrypted would open, and all sessions would end. The file stays as it is, and nobody else can open it
 * meanwhile. Throws MoveProblem, DatabaseInUse, and what `fillPostgres` throws.
 */
export async function moveDatabase(
  config: Config,
  url: string,
  { onProgress }: Pick<CopyOptions, 'onProgress'> = {},
): Promise<CopiedTable[]> {
  const file = join(config.dataDir, 'proofroom.db')
  if (!existsSync(file)) throw new MoveProblem(`There is no SQLite database in ${config.dataDir}.`)
  const source = openAlone(file)
  try {
    return await fillPostgres({
      url,
      migrations,
      source: source.db,
      sourceVersion: source.version,
      without: ['kept_secrets'],
      finish: async (db) => {
        await loadSecrets(config, { kind: 'postgres', db })
      },
      ...(onProgress && { onProgress }),
    })
  } finally {
    await source.close()
  }
}
