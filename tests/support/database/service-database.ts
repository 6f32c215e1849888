import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll } from 'vitest'
import { getPostgresUrl, isOnPostgres } from '../service/back-ends.ts'
import type { TestService } from '../service/test-service.ts'
import { listStoredFiles, openStoredFile, type StoredFile } from '../storage/stored-files.ts'
import { LockedError, type StoredDatabase } from './stored-database.ts'
import { openStoredPostgres } from './stored-postgres.ts'
import { openStoredSqlite } from './stored-sqlite.ts'

/** Reads the database of a service directly. To write, use `changeDatabase`. */
export function readDatabase<T>({ dataDir }: TestService, use: (stored: StoredDatabase) => T): T {
  const url = getPostgresUrl(dataDir)
  const stored = url === null ? openStoredSqlite(join(dataDir, 'proofroom.db')) : openStoredPostgres(url)
  try {
    return use(stored)
  } finally {
    stored.close()
  }
}

/**
 * Writes in a transaction, and tries up to 1,000 times while the service holds the lock. A blocking wait would stop the
 * service, which runs in this process.
 */
export async function changeDatabase<T>(service: TestService, change: (stored: StoredDatabase) => T): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return readDatabase(service, (stored) => stored.transaction(() => change(stored)))
    } catch (error) {
      if (!(error instanceof LockedError) || attempt === 1000) throw error
      await setTimeout(5)
    }
  }
}

export function originalName(service: TestService, eventId: number, photoId: number): string {
  const filename = readDatabase(service, (stored) =>
    stored.prepare('select filename from photos where id = ?').pluck().get(photoId),
  )
  return `files/events/${eventId}/originals/${filename}`
}

export const getStoredOriginal = (service: TestService, eventId: number, photoId: number): StoredFile =>
  openStoredFile(service, originalName(service, eventId, photoId))

export const loadPhotoRows = (service: TestService): unknown[] =>
  readDatabase(service, (stored) => stored.prepare('select * from photos order by id').all())

/**
 * Returns all stored files, photo rows and photo totals. A rejected request must not change them. Slow on
 * `sharedService()`, which has the photos of many test files.
 */
export const storedState = async (service: TestService) => ({
  files: await listStoredFiles(service),
  rows: loadPhotoRows(service),
  totals: readDatabase(service, (stored) => stored.prepare('select * from event_photo_totals order by event_id').all()),
})

/** Columns, by table, that the service can still write after its response. */
const writtenLater: Record<string, string[]> = {
  api_tokens: ['last_used_at'],
  events: ['total_views', 'total_downloads'],
  mails: ['status', 'attempts', 'next_attempt_at', 'last_error', 'sent_at', 'credential'],
  webhooks: ['last_success_at', 'last_failure_at', 'consecutive_failures'],
  webhook_deliveries: [
    ...['status', 'attempt_count', 'next_attempt_at', 'request_headers', 'completed_at'],
    ...['response_status', 'response_body', 'latency_ms', 'last_error'],
  ],
}
const notCompared = new Set(['activity', 'feedback_changes', 'job_runs', 'rate_counts', 'sqlite_sequence'])

/**
 * Returns a digest by table name, without `notCompared` and `writtenLater`. A rejected request must not change any
 * digest.
 */
export const computeTableDigests = (service: TestService): Record<string, string> =>
  readDatabase(service, (stored) => {
    const tables = stored.tables().filter((table) => !notCompared.has(table))
    const contents = stored.contents(tables)
    return Object.fromEntries(
      tables.map((table, index) => [table, computeDigest(contents[index] ?? [], writtenLater[table])]),
    )
  })

/**
 * Returns a function like `computeTableDigests` for repeated calls. On SQLite it computes the digests again only after
 * a write.
 */
export function createTableDigests(service: TestService): () => Record<string, string> {
  if (isOnPostgres) return () => computeTableDigests(service)
  const stored = openStoredSqlite(join(service.dataDir, 'proofroom.db'))
  afterAll(stored.close)
  let last: { version: unknown; digest: Record<string, string> } | null = null
  return () => {
    const version = stored.prepare('pragma data_version').pluck().get()
    if (last === null || last.version !== version) last = { version, digest: computeTableDigests(service) }
    return last.digest
  }
}

/** The digest does not depend on the order of the rows. */
function computeDigest(rows: readonly unknown[], ignoredColumns: readonly string[] = []): string {
  const texts = rows.map((row) =>
    JSON.stringify(row, (key, value) => (ignoredColumns.includes(key) ? undefined : value)),
  )
  return createHash('sha256').update(texts.sort().join()).digest('hex')
}
