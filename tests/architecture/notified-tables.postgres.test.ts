import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { contextForTest } from '../support/service/test-context.ts'
import { root, sourceFiles } from './source-files.ts'

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

type Trigger = { table: string; topic: string; key: string; uncached: string }

async function loadTriggers(): Promise<{ loadTriggers: Trigger[]; columns: Map<string, string[]> }> {
  const { db } = await contextForTest()
  const found = await sql<{ table: string; arguments: string }>`
    select tgrelid::regclass::text as table, encode(tgargs, 'escape') as arguments from pg_trigger
    where tgfoid = 'proofroom_tell'::regproc`.execute(db)
  const columns = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = current_schema()`.execute(db)
  const columnsOf = (table: string) =>
    columns.rows.filter((column) => column.table === table).map(({ column }) => column)
  return {
    loadTriggers: found.rows.map(({ table, arguments: words }) => {
      const [topic = '', key = '', uncached = ''] = words.split('\\000')
      return { table, topic, key, uncached }
    }),
    columns: new Map(found.rows.map(({ table }) => [table, columnsOf(table)])),
  }
}

test('a change of each cached table is notified to all nodes', async () => {
  const found = (await loadTriggers()).loadTriggers
  const notified = Object.keys(tables).map((topic) => {
    const of = new Set(found.filter((trigger) => trigger.topic === topic).map(({ table }) => table))
    return [topic, [...of].sort()]
  })
  expect(Object.fromEntries(notified)).toEqual(tables)
  expect(found.filter(({ topic }) => !tables[topic])).toEqual([])
})

test('keys and uncached columns exist in their tables', async () => {
  const { loadTriggers: found, columns } = await loadTriggers()
  const named = found.flatMap(({ table, key, uncached }) =>
    [key, ...uncached.split(' ')].filter(Boolean).map((column) => ({ table, column })),
  )
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter(({ table, column }) => !columns.get(table)?.includes(column))).toEqual([])
})

test('every topic that invalidates a cache is listed here', () => {
  const files = sourceFiles('server').map((file) => readFileSync(join(root, file), 'utf8'))
  const caching = files.filter((text) => text.includes('new StateCache<'))
  const topics = caching.flatMap((text) => [...text.matchAll(/changes\.on\('([\w-]+)'/g)].map(([, topic]) => topic))
  expect(topics.length).toBeGreaterThan(5)
  expect(topics.filter((topic) => !tables[topic ?? ''])).toEqual([])
})
