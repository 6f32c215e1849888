import type { Migration } from 'kysely/migration'
import { foundation } from './0001-foundation.ts'
import { eventLifecycle } from './0002-event-lifecycle.ts'
import { marks } from './0003-marks.ts'
import { mail } from './0004-mail.ts'
import { idempotency } from './0005-idempotency.ts'
import { renditions } from './0006-renditions.ts'

/** Append only: what has been released is never changed. */
export const migrations: Record<string, Migration> = {
  '0001-foundation': foundation,
  '0002-event-lifecycle': eventLifecycle,
  '0003-marks': marks,
  '0004-mail': mail,
  '0005-idempotency': idempotency,
  '0006-renditions': renditions,
}
