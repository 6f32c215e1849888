import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { PlatformContext } from '../platform/platform-context.ts'
import { getProcessName, getProcessState } from '../platform/process/process-names.ts'
import { seconds } from '../platform/time/clock.ts'

export type PhotoRepairTable = {
  name: 'dimensions'
  /** Process name and run id. Null before the first run, and after a run that has ended without a crash. */
  holder: string | null
  /** End of the lease, which an active run renews. After a crash the lease expires. */
  lease_until: number
  success: number
  failed: number
  started_at: number | null
  finished_at: number | null
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    photo_repairs: PhotoRepairTable
  }
}

export type PhotoRepair = Selectable<PhotoRepairTable>
export type RepairOutcome = { success: number; failed: number; startedAt: number }

const leaseMs = seconds(30)
/** Several renewals fit into one lease, so that one slow commit does not lose the lease. */
export const renewIntervalMs = seconds(8)

export const getRepair = ({ db }: PlatformContext): Promise<PhotoRepair> =>
  db.selectFrom('photo_repairs').selectAll().where('name', '=', 'dimensions').executeTakeFirstOrThrow()

/** The lease of an ended process of this host does not count, even before it expires. */
export const isHeld = ({ holder, lease_until }: PhotoRepair, now: number): boolean =>
  holder !== null && lease_until > now && getProcessState(parseProcessName(holder)) !== 'gone'

/** Returns the new `holder`, or null if another run holds the lease. */
export async function claimRepair(ctx: PlatformContext): Promise<string | null> {
  const { db, clock } = ctx
  const before = await getRepair(ctx)
  const now = clock.now()
  if (isHeld(before, now)) return null
  const holder = `${getProcessName()}#${randomUUID()}`
  const { numUpdatedRows } = await db
    .updateTable('photo_repairs')
    .set({ holder, lease_until: now + leaseMs })
    .where('name', '=', 'dimensions')
    .where('holder', before.holder === null ? 'is' : '=', before.holder)
    .executeTakeFirst()
  return numUpdatedRows === 1n ? holder : null
}

/** Returns false if this run no longer holds the lease. */
export async function renewRepair({ db, clock }: PlatformContext, holder: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('photo_repairs')
    .set({ lease_until: clock.now() + leaseMs })
    .where('holder', '=', holder)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function endRepair({ db, clock }: PlatformContext, holder: string, outcome: RepairOutcome): Promise<void> {
  const { success, failed, startedAt } = outcome
  await db
    .updateTable('photo_repairs')
    .set({ holder: null, lease_until: 0, success, failed, started_at: startedAt, finished_at: clock.now() })
    .where('holder', '=', holder)
    .execute()
}

const parseProcessName = (holder: string): string => holder.slice(0, holder.indexOf('#'))
