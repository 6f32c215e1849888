import { join, relative } from 'node:path'
import { sql } from 'kysely'
import type { HealthItem } from '../../contract/instance/health.ts'
import { sampleOriginals } from '../photos/sample-originals.ts'
import type { Config } from '../platform/configuration/config.ts'
import { FileDenied, FileMissing, type Storage, StorageRejected } from '../platform/storage/storage.ts'
import { findUnusableFiles } from '../platform/storage/unusable-files.ts'
import { isoTime } from '../platform/time/clock.ts'
import type { AppContext } from '../settings/app-context.ts'
import { type CheckResult, fail, type HealthFormatter, ok, warn } from './health-formatter.ts'

export async function checkDatabase({ db, database }: AppContext, { t }: HealthFormatter): Promise<HealthItem> {
  await sql`select 1`.execute(db)
  const facts = { kind: database.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL' }
  return { key: 'database', status: 'ok', text: t('databaseAnswers'), fix: null, facts }
}

export async function checkStorage(ctx: AppContext, { t }: HealthFormatter): Promise<HealthItem> {
  const { storage, config } = ctx
  const error: unknown = await storage.check().then(
    () => null,
    (reason) => reason,
  )
  const item = { key: 'storage', facts: { kind: config.s3 ? 'S3' : 'disk' } }
  if (error === null) return { ...item, ...((await checkOriginals(ctx, t)) ?? (await checkRights(config, t))) }
  const problem = config.s3 === null ? 'storageBroken' : error instanceof StorageRejected ? 'storeRefuses' : 'storeAway'
  return { ...item, ...fail(t(problem), t(`${problem}Fix`)) }
}

/** Looks for the first and the last original: all are missing in a wrong bucket, or if a disk is not mounted. */
async function checkOriginals({ db, storage }: AppContext, t: HealthFormatter['t']): Promise<CheckResult | null> {
  const sampled = await sampleOriginals(db)
  const missing = await Promise.all(sampled.map(({ key, sizeBytes }) => isLost(storage, key, sizeBytes)))
  const count = missing.filter(Boolean).length
  if (count === 0) return null
  const texts = [t('storageLacks', { count, sampled: sampled.length }), t('storageLacksFix')] as const
  return count === sampled.length ? fail(...texts) : warn(...texts)
}

/** False for a file that this user may not read. */
async function isLost(storage: Storage, key: string, sizeBytes: number): Promise<boolean> {
  try {
    const reader = await storage.openReader(key, { start: 0, end: 0 }, sizeBytes)
    await reader.close()
    return false
  } catch (error) {
    if (error instanceof FileMissing) return !(error instanceof FileDenied)
    throw error
  }
}

/** Files of one event are in folders of this depth. Looking at each file would take too long. */
const folderDepth = 3

async function checkRights({ s3, dataDir }: Config, t: HealthFormatter['t']): Promise<CheckResult> {
  const { folders } = s3 === null ? await findUnusableFiles(join(dataDir, 'media/files'), folderDepth) : { folders: [] }
  const [path] = folders
  if (path === undefined) return ok(t('storageAnswers'))
  const values = { count: folders.length, path: relative(dataDir, path) }
  return fail(t('storageDenied', values), t('storageDeniedFix'))
}

const lowSpaceBytes = 10e9
const lowSpaceShare = 0.1

/** With object storage (`isUnlimited`), the disk holds media files only temporarily. */
export async function checkDisk({ storage, database }: AppContext, { t, size }: HealthFormatter): Promise<HealthItem> {
  const { freeBytes, totalBytes, reservedBytes, isUnlimited } = await storage.space()
  const facts = {
    free_bytes: freeBytes,
    total_bytes: totalBytes,
    reserved_bytes: reservedBytes,
    holds_photos: !isUnlimited,
    reserve_in_use: database.reserve?.isInUse() ?? false,
  }
  const item = { key: 'disk', facts }
  const left = { free: size(freeBytes), total: size(totalBytes) }
  const holds =
    (isUnlimited ? ` ${t('diskIsOnTheWay')}` : '') + (facts.reserve_in_use ? ` ${t('diskReserveInUse')}` : '')
  if (freeBytes <= reservedBytes) {
    const text = t('diskFull', { ...left, reserved: size(reservedBytes) })
    return { ...item, ...fail(text + holds, t(isUnlimited ? 'diskOfNodeFullFix' : 'diskFullFix')) }
  }
  if (!isUnlimited && freeBytes < lowSpaceBytes && freeBytes < totalBytes * lowSpaceShare) {
    return { ...item, ...warn(t('diskScarce', left), t('diskScarceFix')) }
  }
  return { ...item, ...ok(t('diskHasRoom', left) + holds) }
}

/** Limits the time of the check. */
const maxFiles = 10_000

/** Always ok, because quarantined files are normal: deleted and replaced originals are among them. */
export async function checkQuarantine({ storage }: AppContext, formatter: HealthFormatter): Promise<HealthItem> {
  let files = 0
  let bytes = 0
  for await (const { sizeBytes } of storage.listQuarantined()) {
    files++
    bytes += sizeBytes
    if (files === maxFiles) break
  }
  const text = quarantineMessage(formatter, files, bytes)
  return { key: 'lost_and_found', status: 'ok', text, fix: null, facts: { files, bytes } }
}

function quarantineMessage({ t, size }: HealthFormatter, files: number, bytes: number): string {
  if (files === 0) return t('nothingSetAside')
  return t(files === maxFiles ? 'setAsideAtLeast' : 'setAside', { count: files, size: size(bytes) })
}

export function checkSweep({ warnings }: AppContext, { t }: HealthFormatter): HealthItem {
  const sweepWarning = warnings.find('sweep')
  const key = 'sweep'
  if (!sweepWarning) return { key, status: 'ok', text: t('sweepRuns'), fix: null, facts: {} }
  const { strays = 0, files = 0 } = sweepWarning.facts
  return {
    key,
    status: 'warn',
    text: t('sweepStopped', { strays, files }),
    fix: t('sweepStoppedFix'),
    facts: { strays, files, since: isoTime(sweepWarning.since) },
  }
}
