import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import type { TestService } from './test-service.ts'

/** Every file below the media folder, staging and the lost-and-found included. */
export async function storedFiles({ dataDir }: TestService): Promise<string[]> {
  const root = join(dataDir, 'media')
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}

/** Looks into the database as an outsider would. To write there, see `changeDatabase`. */
export function inDatabase<T>({ dataDir }: TestService, use: (sqlite: Sqlite.Database) => T): T {
  const sqlite = new Sqlite(join(dataDir, 'proofroom.db'))
  try {
    return use(sqlite)
  } finally {
    sqlite.close()
  }
}

/**
 * Tampers with the database as an outsider would, all or nothing. The service of a test lives in the same process, so
 * that waiting for its lock without letting it run would be waiting for oneself.
 */
export async function changeDatabase<T>({ dataDir }: TestService, change: (sqlite: Sqlite.Database) => T): Promise<T> {
  const sqlite = new Sqlite(join(dataDir, 'proofroom.db'), { timeout: 0 })
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        return sqlite.transaction(change).immediate(sqlite)
      } catch (error) {
        if ((error as { code?: string }).code !== 'SQLITE_BUSY' || attempt === 1000) throw error
        await setTimeout(5)
      }
    }
  } finally {
    sqlite.close()
  }
}

/** Where the original of a photo lies on the disk. */
export function originalPath(service: TestService, eventId: number, photoId: number): string {
  const filename = inDatabase(service, (sqlite) =>
    sqlite.prepare('select filename from photos where id = ?').pluck().get(photoId),
  )
  return join(service.dataDir, 'media/files/events', String(eventId), 'originals', String(filename))
}

export const photoRows = (service: TestService): unknown[] =>
  inDatabase(service, (sqlite) => sqlite.prepare('select * from photos order by id').all())

/** Files and rows of photos: what a refusal must leave as it was. */
export const whatIsKept = async (service: TestService) => ({
  files: await storedFiles(service),
  rows: photoRows(service),
  totals: inDatabase(service, (sqlite) => sqlite.prepare('select * from event_photo_totals').all()),
})

/** What is written behind the answers, whoever is asked for: columns of tables, and whole tables. */
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
const notCompared = new Set(['activity', 'feedback_changes', 'sqlite_sequence'])

/** A digest of every table, by its name: what a refusal must leave as it was. */
export const digestOfTables = (service: TestService): Record<string, string> =>
  inDatabase(service, (sqlite) => {
    const digestOf = (table: string): string => {
      const left = new Set(writtenLater[table])
      const rows = sqlite.prepare(`select * from "${table}"`).all()
      const compared = JSON.stringify(rows, (key, value) => (left.has(key) ? undefined : value))
      return createHash('sha256').update(compared).digest('hex')
    }
    const tables = sqlite.prepare("select name from sqlite_master where type = 'table'").pluck().all() as string[]
    return Object.fromEntries(tables.filter((one) => !notCompared.has(one)).map((table) => [table, digestOf(table)]))
  })
