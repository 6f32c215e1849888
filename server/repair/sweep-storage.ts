import { renditionPrefix } from '../photos/photo-files.ts'
import { inSnapshot } from '../platform/database/transaction.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { days, hours } from '../platform/time/clock.ts'
import { pruneReplaced } from '../receiving/replaced-file-rows.ts'
import type { AppContext } from '../settings/app-context.ts'

const retiredRetentionMs = hours(1)
const strayRetentionMs = hours(24)
const quarantineDays = 30
const maxStrays = 100
const maxStraysShare = 0.01
const minStrays = 10

/** Staging files are on the local disk, so each node deletes those of its own machine. */
export async function clearStaging({ storage, log }: PlatformContext): Promise<void> {
  const leftovers = await storage.clearLeftovers()
  if (leftovers > 0) log.info({ leftovers }, 'Cleared the staging files of ended processes')
}

/**
 * Quarantines retired files (originals and stills of replaced or deleted photos) and files without a row, but deletes renditions
 * without a row. If many other files have no row, the database may be an old backup, and none of them is quarantined.
 */
export async function sweepStorage(ctx: AppContext): Promise<void> {
  const { storage, log, db, clock } = ctx
  const retired = await quarantineRetired(ctx)
  const strays = await quarantineStrays(ctx)
  await pruneReplaced(db, clock.now() - days(quarantineDays))
  const quarantine = await storage.pruneQuarantine(quarantineDays)
  if (retired + strays > 0) log.info({ retired, strays, quarantine }, 'Swept the storage')
}

async function quarantineRetired({ db, storage, clock }: PlatformContext): Promise<number> {
  const due = clock.now() - retiredRetentionMs
  const keys = await inSnapshot(db, async (tx) => {
    const rows = await tx.selectFrom('retired_files').select('key').where('retired_at', '<', due).limit(1000).execute()
    return rows.map(({ key }) => key)
  })
  if (keys.length === 0) return 0
  for (const key of keys) await storage.quarantine(key)
  await db.deleteFrom('retired_files').where('key', 'in', keys).execute()
  return keys.length
}

async function quarantineStrays(ctx: AppContext): Promise<number> {
  const { storage, clock, log, warnings } = ctx
  const strays: string[] = []
  let fileCount = 0
  let event = { id: '', keys: new Set<string>() }
  for await (const { key, modifiedAt } of storage.list('events')) {
    fileCount++
    if (modifiedAt > clock.now() - strayRetentionMs) continue
    const [, eventId = ''] = key.split('/')
    if (event.id !== eventId) event = { id: eventId, keys: await listKnownKeys(ctx, Number(eventId)) }
    if (event.keys.has(key)) continue
    if (key.startsWith(`${renditionPrefix(Number(eventId))}/`)) await storage.remove(key)
    else strays.push(key)
  }

  const isTooMany =
    strays.length > maxStrays || (strays.length >= minStrays && strays.length > fileCount * maxStraysShare)
  if (isTooMany) {
    log.warn({ strays: strays.length, fileCount }, 'Many stored files have no row; no file was quarantined')
    warnings.raise('sweep', { strays: strays.length, files: fileCount })
    return 0
  }
  warnings.clear('sweep')
  for (const key of strays) await storage.quarantine(key)
  return strays.length
}

async function listKnownKeys({ db, storedFiles }: AppContext, eventId: number): Promise<Set<string>> {
  const keys = new Set<string>()
  for (const { keysOf } of storedFiles) for (const key of await keysOf(db, eventId)) keys.add(key)
  return keys
}
