import { sql } from 'kysely'
import { Type } from 'typebox'
import { withTimeout } from '../background/with-timeout.ts'
import type { Database } from '../database/tables.ts'
import { AppError } from '../errors/app-error.ts'
import type { PlatformContext } from '../platform-context.ts'
import type { Http } from './create-http.ts'

const Healthy = Type.Object({ status: Type.Literal('ok') })
const timeoutMs = 3_000

/**
 * Responds with 200 when database and storage are reachable, else with 503, which names the parts that failed. The status
 * is 503 during shutdown, too.
 */
export const healthApi =
  ({ db, storage, log }: PlatformContext) =>
  async (app: Http) => {
    const checks = { database: () => probeDatabase(db), storage: () => storage.check() }
    app.get('/health', { schema: { response: { 200: Healthy } } }, async () => {
      const failures = await Promise.all(
        Object.entries(checks).map(async ([part, check]) => {
          // `check` can throw before it returns a promise.
          const failed = await withTimeout((async () => check())(), timeoutMs).then(
            () => false,
            (err) => {
              log.error({ err, part }, 'The health check failed')
              return true
            },
          )
          return failed ? [part] : []
        }),
      )
      const failed = failures.flat()
      if (failed.length > 0) throw unavailable(failed)
      return { status: 'ok' as const }
    })
  }

const unavailable = (parts: string[]): AppError =>
  new AppError('UNAVAILABLE', {
    text: parts.map((part) => `The ${part} does not respond.`).join(' '),
    details: parts.map((path) => ({ path, message: 'does not respond' })),
    retryAfterSeconds: 5,
  })

/** Reads the migration table of Kysely, which exists in every migrated database. */
const probeDatabase = (db: Database): Promise<unknown> =>
  db
    .selectFrom(sql<{ name: string }>`kysely_migration`.as('migration'))
    .select('migration.name')
    .where('migration.name', '=', '')
    .execute()
