import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { type Generated, type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { onTestFinished } from 'vitest'
import { openSqliteDatabase } from '../../../server/platform/database/open-sqlite.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'

type Notes = { notes: { id: Generated<number>; text: string; count: Generated<number> } }

export type NotesDatabase = Kysely<Notes>

export const notes: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create table notes (
      id integer primary key autoincrement, text text not null unique, count integer not null default 0)`.execute(db)
  },
}

/**
 * Creates a SQLite file with a table `notes` and opens it as the service does. The database closes when the test ends.
 */
export async function databaseForTest(): Promise<{ file: string; db: NotesDatabase }> {
  const file = join(await temporaryFolder(), 'test.db')
  const { db, close } = await openSqliteDatabase(file, { '0001-notes': notes })
  onTestFinished(close)
  return { file, db: db as unknown as NotesDatabase }
}

/** Returns the texts of all committed notes, read through another connection. */
export function readCommittedNotes(file: string): string[] {
  const sqlite = new Sqlite(file, { readonly: true })
  try {
    return sqlite.prepare<[], string>('select text from notes order by id').pluck().all()
  } finally {
    sqlite.close()
  }
}
