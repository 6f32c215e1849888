import type { Migration } from 'kysely/migration'
import { foundation } from './0001-foundation.ts'
import { eventLifecycle } from './0002-event-lifecycle.ts'

/** Append only: what has been released is never changed. */
export const migrations: Record<string, Migration> = {
  '0001-foundation': foundation,
  '0002-event-lifecycle': eventLifecycle,
}
