import type { Tx } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { days, seconds } from '../../platform/time/clock.ts'
import type { AppContext } from '../../settings/app-context.ts'
import type { ActivityRow } from './activity-rows.ts'

export type Operation = Omit<ActivityRow, 'id' | 'at' | 'subject_ids' | 'count'> & { subjectId: number | null }

type Entry = Omit<ActivityRow, 'id' | 'subject_ids'> & { subjectIds: number[] }

const writeEveryMs = seconds(5)

/** Limit for one entry. Further ids are counted but not listed. */
const maxIds = 100

/** Limit for one batch. Further new entries are dropped. */
const maxPendingEntries = 5_000

export type ActivityLog = ReturnType<typeof createActivityLog>

/** Writes batches, so responses do not wait. In a batch, operations that are equal but for `subjectId` share a row. */
export function createActivityLog({ db, clock, log }: PlatformContext) {
  let pending = new Map<string, Entry>()
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()

  function record({ subjectId, ...operation }: Operation): void {
    const kind = JSON.stringify(Object.values(operation))
    const entry = pending.get(kind)
    if (!entry && pending.size >= maxPendingEntries) return
    const subjectIds = entry?.subjectIds ?? []
    if (subjectId !== null && subjectIds.length < maxIds && !subjectIds.includes(subjectId)) subjectIds.push(subjectId)
    pending.set(kind, { ...operation, at: clock.now(), subjectIds, count: (entry?.count ?? 0) + 1 })
    timer ??= setTimeout(() => void flush(), writeEveryMs).unref()
  }

  /** Writes the pending batch and waits for all earlier ones. A batch that cannot be written is logged and lost. */
  function flush(): Promise<void> {
    if (timer) clearTimeout(timer)
    timer = null
    if (pending.size > 0) {
      const batch = [...pending.values()]
      pending = new Map()
      writing = writing
        .then(() => write(batch))
        .catch((err) => log.error({ err, lost: batch.length }, 'Could not write to the activity log'))
    }
    return writing
  }

  async function write(batch: Entry[]): Promise<void> {
    const rows = batch.map(({ subjectIds, ...entry }) => ({ ...entry, subject_ids: JSON.stringify(subjectIds) }))
    await inTransaction(db, 'work activity', async (tx) => {
      for (let start = 0; start < rows.length; start += 500) {
        await tx
          .insertInto('activity')
          .values(rows.slice(start, start + 500))
          .execute()
      }
    })
  }

  return { record, flush }
}

/** Limits the disk space that a flood of calls can use. */
const maxRows = 200_000

const maxDeletedRows = 5_000

export async function pruneActivity({ db, clock, settings }: AppContext, retainRows = maxRows): Promise<void> {
  const { activity_kept_days: keptDays } = await settings.values()
  await inTransaction(db, 'work activity', async (tx) => {
    const before = clock.now() - days(keptDays)
    const old = await rows(tx).where('at', '<', before).orderBy('at', 'desc').executeTakeFirst()
    const newest = await rows(tx).orderBy('id', 'desc').executeTakeFirst()
    const oldest = await rows(tx).orderBy('id').executeTakeFirst()
    if (!newest || !oldest) return
    const last = Math.min(Math.max(old?.id ?? 0, newest.id - retainRows), oldest.id + maxDeletedRows)
    await tx.deleteFrom('activity').where('id', '<=', last).execute()
  })
}

const rows = (tx: Tx) => tx.selectFrom('activity').select('id').limit(1)
