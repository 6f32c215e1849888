import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { contextForTest } from '../support/service/test-context.ts'
import { readText, sourceFiles } from './source-files.ts'

/** The tables that are cached under each topic. Each change that makes a cached row stale is reported to all nodes. */
const tables: Record<string, string[]> = {
  event: ['event_members', 'events'],
  photo: ['categories', 'photos'],
  settings: ['mail_server', 'settings'],
  account: ['users'],
  session: ['refresh_families', 'revoked_sessions'],
  'api-token': ['api_tokens'],
  guest: ['guests'],
  customer: ['customer_events', 'customers'],
}

test('a change of each cached table is notified to all nodes, by keys and columns that exist', async () => {
  const { db } = await contextForTest()
  const { rows } = await sql<{ table: string; arguments: string }>`
    select tgrelid::regclass::text as table, encode(tgargs, 'escape') as arguments from pg_trigger
    where tgfoid = 'proofroom_tell'::regproc`.execute(db)
  const columns = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = current_schema()`.execute(db)
  const triggers = rows.map(({ table, arguments: words }) => {
    const [topic = '', key = '', uncached = ''] = words.split('\\000')
    return { table, topic, named: [key, ...uncached.split(' ')].filter(Boolean).map((column) => `${table}.${column}`) }
  })
  const notified = Object.groupBy(triggers, ({ topic }) => topic)
  const tablesOf = (list: typeof triggers = []) => [...new Set(list.map(({ table }) => table))].sort()
  expect(Object.fromEntries(Object.entries(notified).map(([topic, list]) => [topic, tablesOf(list)]))).toEqual(tables)
  const named = triggers.flatMap((trigger) => trigger.named)
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !columns.rows.some((column) => column.name === name))).toEqual([])
})

test('every topic that invalidates a cache is listed here', () => {
  const files = sourceFiles('server').map(readText)
  const caching = files.filter((text) => text.includes('new StateCache<'))
  const topics = caching.flatMap((text) => [...text.matchAll(/changes\.on\('([\w-]+)'/g)].map(([, topic]) => topic))
  expect(topics.length).toBeGreaterThan(5)
  expect(topics.filter((topic) => !tables[topic ?? ''])).toEqual([])
})
