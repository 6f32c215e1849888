import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
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

/** Looks into, or tampers with, the database as an outsider would. */
export function inDatabase<T>({ dataDir }: TestService, use: (sqlite: Sqlite.Database) => T): T {
  const sqlite = new Sqlite(join(dataDir, 'proofroom.db'))
  try {
    return use(sqlite)
  } finally {
    sqlite.close()
  }
}

export const photoRows = (service: TestService): unknown[] =>
  inDatabase(service, (sqlite) => sqlite.prepare('select * from photos order by id').all())

/** Files and rows of photos: what a refusal must leave as it was. */
export const whatIsKept = async (service: TestService) => ({
  files: await storedFiles(service),
  rows: photoRows(service),
  totals: inDatabase(service, (sqlite) => sqlite.prepare('select * from event_photo_totals').all()),
})
