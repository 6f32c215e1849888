import { sql } from 'kysely'
import { Type } from 'typebox'
import { AppError } from '../app-error.ts'
import { withTimeout } from '../background/with-timeout.ts'
import type { Database } from '../database/tables.ts'
import type { PlatformContext } from '../platform-context.ts'
import type { Http } from './create-http.ts'

const Healthy = Type.Object({ status: Type.Literal('ok') })
const timeoutMs = 3_000

/** Responds with 200 when database and storage are reachable, else with 503. The status is 503 during shutdown, too. */
export const healthApi =
  ({ db, storage, log }: PlatformContext) =>
  async (app: Http) => {
    app.get('/health', { schema: { response: { 200: Healthy } } }, async () => {
      await withTimeout(Promise.all([probeDatabase(db), storage.check()]), timeoutMs).catch((err) => {
        log.error({ err }, 'The health check failed')
        throw new AppError('UNAVAILABLE', { retryAfterSeconds: 5 })
      })
      return { status: 'ok' as const }
    })
  }

/** Reads the migration table of Kysely, which exists in every migrated database. */
const probeDatabase = (db: Database): Promise<unknown> =>
  db
    .selectFrom(sql<{ name: string }>`kysely_migration`.as('migration'))
    .select('migration.name')
    .where('migration.name', '=', '')
    .execute()
