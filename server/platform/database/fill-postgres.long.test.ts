import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { createEmptyPostgresDatabase } from '../../../tests/support/database/empty-postgres.ts'
import { fillDatabase } from '../../../tests/support/database/fill-database.ts'
import { withPostgresClient } from '../../../tests/support/database/postgres-databases.ts'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
import { createAppContext } from '../../create-app-context.ts'
import { migrations } from '../../migrations/migrations.ts'
import { readConfig } from '../configuration/config.ts'
import type { CopyOptions } from './copy-tables.ts'
import { fillPostgres } from './fill-postgres.ts'
import { openDatabase } from './open-database.ts'
import { openSqliteDatabase } from './open-sqlite.ts'
import { openExclusively } from './sqlite-file.ts'

async function filledFile(): Promise<string> {
  const file = join(await temporaryFolder(), 'proofroom.db')
  await (await openSqliteDatabase(file, migrations)).close()
  fillDatabase(file)
  return file
}

async function fill(file: string, url: string, onProgress: NonNullable<CopyOptions['onProgress']> = () => undefined) {
  const source = openExclusively(file)
  const finish = async () => undefined
  const filling = { url, migrations, source: source.db, sourceVersion: source.version, finish, onProgress }
  return fillPostgres(filling).finally(source.close)
}

async function usernamesIn(url: string): Promise<string[]> {
  const { db, close } = await openDatabase({ url }, migrations)
  const users = await db.selectFrom('users').select('username').execute().finally(close)
  return users.map(({ username }) => username)
}

/** Returns the id of each user and of the transaction that wrote the row of the user. */
const writingsOfUsers = (url: string): Promise<unknown[]> =>
  withPostgresClient(url, async (client) => (await client.query('select id, xmin::text from users order by id')).rows)

const interrupt = ({ table }: { table: string }): void => {
  if (table === 'photos') throw new Error('killed')
}

/** Opens and closes the app context of a service. */
async function serve(url: string): Promise<void> {
  const config = readConfig({ DATA_DIR: await temporaryFolder(), DATABASE_URL: url })
  const { pino } = await import('pino')
  const { close } = await createAppContext(config, pino({ level: 'silent' }))
  await close()
}

test('an empty database is filled and can then be opened', async () => {
  const url = await createEmptyPostgresDatabase()
  const copied = await fill(await filledFile(), url)
  expect(copied.find(({ name }) => name === 'photos')).toMatchObject({ rows: 40 })
  expect(await usernamesIn(url)).toHaveLength(40)
  await serve(url)
})

test('a database that has tables is not changed', async () => {
  const url = await createEmptyPostgresDatabase()
  await serve(url)
  await expect(fill(await filledFile(), url)).rejects.toThrow('already contains tables')
  expect(await usernamesIn(url)).toEqual([])
})

test('no service opens a partial copy, and the next call continues it', async () => {
  const [file, url] = [await filledFile(), await createEmptyPostgresDatabase()]
  await expect(fill(file, url, interrupt)).rejects.toThrow('killed')
  await expect(serve(url)).rejects.toThrow('names an incomplete database')
  const before = await writingsOfUsers(url)
  expect(before).toHaveLength(40)
  await fill(file, url)
  expect(await writingsOfUsers(url)).toEqual(before)
  await serve(url)
})

test('the copy starts again when the source has changed', async () => {
  const [file, url] = [await filledFile(), await createEmptyPostgresDatabase()]
  await expect(fill(file, url, interrupt)).rejects.toThrow('killed')
  const sqlite = new Sqlite(file)
  sqlite.prepare("update users set username = 'changed'").run()
  sqlite.close()
  await fill(file, url)
  expect(new Set(await usernamesIn(url))).toEqual(new Set(['changed']))
})
