import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, sourceFiles } from './source-files.ts'

const owners: Record<string, string> = {
  mails: 'platform',
  kept_secrets: 'platform',
  rate_counts: 'platform',
  job_runs: 'platform',
  warnings: 'platform',
  users: 'access',
  api_tokens: 'access',
  revoked_sessions: 'access',
  sign_in_failures: 'access',
  refresh_families: 'access',
  second_factors: 'access',
  recovery_codes: 'access',
  idempotency_keys: 'access',
  settings: 'settings',
  announcements: 'webhooks',
  webhooks: 'webhooks',
  webhook_deliveries: 'webhooks',
  feedback_changes: 'proofing',
  deleted_events: 'events',
  events: 'events',
  event_members: 'events',
  event_types: 'events',
  categories: 'events',
  guests: 'proofing',
  guest_links: 'proofing',
  selections: 'proofing',
  invites: 'people',
  customers: 'customers',
  customer_events: 'customers',
  feedback: 'proofing',
  photo_marks: 'proofing',
  live_events: 'proofing',
  event_days: 'proofing',
  activity: 'activity',
  account_marks: 'proofing',
  mark_exports: 'exports',
  chunked_uploads: 'uploads',
  imported_files: 'imports',
  received_chunks: 'uploads',
  backups: 'backups',
  photos: 'photos',
  event_photo_totals: 'photos',
  retired_files: 'photos',
  photo_renditions: 'photos',
  photo_locations: 'photos',
  photo_repairs: 'photos',
  video_jobs: 'photos',
}

const writes = /(?:insertInto|updateTable|deleteFrom)\('(\w+)'\)/g

test('only the owner of a table writes it', () => {
  const trespasses = sourceFiles('server').flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(writes)]
      .map(([, table = '']) => table)
      .filter((table) => owners[table] !== file.split('/')[1])
      .map((table) => `${file} writes ${table}`),
  )
  expect(trespasses).toEqual([])
})

test('every table has an owner', () => {
  const migrations = sourceFiles('server/migrations').map((file) => readFileSync(join(root, file), 'utf8'))
  const tables = migrations.flatMap((text) => [...text.matchAll(/create table (\w+)/g)].map(([, table]) => table))
  expect(tables.filter((table) => !owners[table ?? ''])).toEqual([])
})
