import { expect, test } from 'vitest'
import { readText, sourceFiles } from './source-files.ts'

/** The tables that each module writes. */
const tablesOf: Record<string, string> = {
  platform: 'mails mail_server kept_secrets rate_counts job_runs warnings',
  access:
    'users api_tokens revoked_sessions sign_in_failures refresh_families second_factors recovery_codes idempotency_keys',
  settings: 'settings',
  webhooks: 'announcements webhooks webhook_deliveries',
  events:
    'deleted_events events outdated_links old_slugs gallery_passwords event_members event_types categories event_days live_events guests guest_links letter_texts',
  people: 'invites customers customer_events',
  feedback:
    'feedback_changes feedback photo_marks account_marks trashed_feedback trashed_account_marks threads thread_messages thread_notices',
  dashboard: 'activity',
  gallery: 'first_looks',
  exports: 'mark_exports',
  selections: 'selections packages rounds',
  backups: 'backups',
  photos:
    'photos photo_versions version_decisions event_photo_totals retired_files photo_renditions photo_locations trashed_photos arriving_photos video_jobs',
  receiving: 'photos replaced_files chunked_uploads received_chunks begun_chunks imported_files',
  repair: 'photos retired_files photo_repairs',
  picpeak: 'moved_rows',
}

test('every table has an owner, and only the owner writes it', () => {
  const trespasses = sourceFiles('server').flatMap((file) =>
    [...readText(file).matchAll(/(?:insertInto|updateTable|deleteFrom)\('(\w+)'\)/g)]
      .filter(([, table = '']) => !tablesOf[file.split('/')[1] ?? '']?.split(' ').includes(table))
      .map(([, table]) => `${file} writes ${table}`),
  )
  expect(trespasses).toEqual([])
  const owned = Object.values(tablesOf).join(' ').split(' ')
  const migrations = sourceFiles('server/migrations').map(readText).join('\n')
  const tables = [...migrations.matchAll(/create table (\w+)/g)].map(([, table = '']) => table)
  const dropped = [...migrations.matchAll(/`drop table (\w+)`/g)].map(([, table = '']) => table)
  expect(tables.filter((table) => !owned.includes(table) && !dropped.includes(table))).toEqual([])
})
