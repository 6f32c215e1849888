import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { seconds } from '../platform/clock.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { ownProcessName, stateOfProcess } from '../platform/process-names.ts'

/** One row: who is repairing the instance, and what the last run has done. */
export type PhotoRepairTable = {
  name: 'dimensions'
  /** The process at it and which of its runs; null for nobody. */
  holder: string | null
  /** Renewed while the run goes on: a process that was killed or has lost the database is missed after this. */
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
/** Often enough that a slow commit loses none. */
export const renewEveryMs = seconds(8)

export const getRepair = ({ db }: PlatformContext): Promise<PhotoRepair> =>
  db.selectFrom('photo_repairs').selectAll().where('name', '=', 'dimensions').executeTakeFirstOrThrow()

/** A process of this host that is gone holds nothing, whatever its lease says. */
export const isHeld = ({ holder, lease_until }: PhotoRepair, now: number): boolean =>
  holder !== null && lease_until > now && stateOfProcess(processOf(holder)) !== 'gone'

/** Takes the lease; its holder, or null where another run has it, on this node or any other. */
export async function claimRepair(ctx: PlatformContext): Promise<string | null> {
  const { db, clock } = ctx
  const before = await getRepair(ctx)
  const now = clock.now()
  if (isHeld(before, now)) return null
  const holder = `${ownProcessName()}#${randomUUID()}`
  const { numUpdatedRows } = await db
    .updateTable('photo_repairs')
    .set({ holder, lease_until: now + leaseMs })
    .where('name', '=', 'dimensions')
    .where('holder', before.holder === null ? 'is' : '=', before.holder)
    .executeTakeFirst()
  return numUpdatedRows === 1n ? holder : null
}

/** False where the lease has gone to somebody else. */
export async function renewRepair({ db, clock }: PlatformContext, holder: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('photo_repairs')
    .set({ lease_until: clock.now() + leaseMs })
    .where('holder', '=', holder)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Gives the lease back and tells what was done. */
export async function endRepair({ db, clock }: PlatformContext, holder: string, outcome: RepairOutcome): Promise<void> {
  const { success, failed, startedAt } = outcome
  await db
    .updateTable('photo_repairs')
    .set({ holder: null, lease_until: 0, success, failed, started_at: startedAt, finished_at: clock.now() })
    .where('holder', '=', holder)
    .execute()
}

const processOf = (holder: string): string => holder.slice(0, holder.indexOf('#'))
