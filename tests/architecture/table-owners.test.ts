import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, sourceFiles } from './source-files.ts'

const owners: Record<string, string | string[]> = {
  mails: 'platform',
  mail_server: 'platform',
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
  feedback_changes: 'feedback',
  deleted_events: 'events',
  events: 'events',
  outdated_links: 'events',
  old_slugs: 'events',
  gallery_passwords: 'events',
  event_members: 'events',
  event_types: 'events',
  categories: 'events',
  guests: 'feedback',
  guest_links: 'feedback',
  guest_notes: 'feedback',
  selections: 'feedback',
  invites: 'people',
  customers: 'customers',
  customer_events: 'customers',
  feedback: 'feedback',
  photo_marks: 'feedback',
  live_events: 'feedback',
  event_days: 'feedback',
  activity: 'activity',
  account_marks: 'feedback',
  mark_exports: 'exports',
  chunked_uploads: 'uploads',
  imported_files: 'imports',
  received_chunks: 'uploads',
  begun_chunks: 'uploads',
  backups: 'backups',
  photos: ['photos', 'receiving', 'renditions', 'videos', 'repair'],
  event_photo_totals: 'photos',
  retired_files: ['photos', 'receiving', 'repair'],
  photo_renditions: ['photos', 'renditions'],
  photo_locations: 'photos',
  trashed_photos: 'photos',
  arriving_photos: 'photos',
  moved_rows: 'picpeak',
  trashed_feedback: 'feedback',
  trashed_account_marks: 'feedback',
  photo_repairs: 'repair',
  video_jobs: 'videos',
}

const writes = /(?:insertInto|updateTable|deleteFrom)\('(\w+)'\)/g

test('only the owner of a table writes it', () => {
  const trespasses = sourceFiles('server').flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(writes)]
      .map(([, table = '']) => table)
      .filter((table) => ![owners[table]].flat().includes(file.split('/')[1]))
      .map((table) => `${file} writes ${table}`),
  )
  expect(trespasses).toEqual([])
})

test('every table has an owner', () => {
  const migrations = sourceFiles('server/migrations').map((file) => readFileSync(join(root, file), 'utf8'))
  const tables = migrations.flatMap((text) => [...text.matchAll(/create table (\w+)/g)].map(([, table]) => table))
  expect(tables.filter((table) => !owners[table ?? ''])).toEqual([])
})
