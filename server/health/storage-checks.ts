import { sql } from 'kysely'
import type { HealthItem } from '../../contract/health.ts'
import { isoTime } from '../platform/clock.ts'
import { StorageRefused } from '../platform/storage/storage.ts'
import type { House } from '../settings/house.ts'
import { plainSize } from './plain-size.ts'

export async function checkDatabase({ db, database }: House): Promise<HealthItem> {
  await sql`select 1`.execute(db)
  const facts = { kind: database.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL' }
  return { key: 'database', status: 'ok', text: 'The database answers.', fix: null, facts }
}

export async function checkStorage({ storage, config }: House): Promise<HealthItem> {
  const error: unknown = await storage.check().then(
    () => null,
    (reason) => reason,
  )
  const item = { key: 'storage', facts: { kind: config.s3 ? 'S3' : 'disk' } }
  if (error === null) return { ...item, status: 'ok', text: 'The storage of the photos answers.', fix: null }
  if (!config.s3) {
    const fix = 'See that the media folder in DATA_DIR is there and can be written to.'
    return { ...item, status: 'fail', text: 'The storage of the photos cannot be written to.', fix }
  }
  const isRefused = error instanceof StorageRefused
  return {
    ...item,
    status: 'fail',
    text: isRefused
      ? 'The object store of the photos does not let the service in, or does not know its bucket.'
      : 'The object store of the photos cannot be reached.',
    fix: isRefused
      ? 'See that S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are right, and what the key may do.'
      : 'See that the store of S3_ENDPOINT runs and can be reached from here; the service goes on by itself.',
  }
}

const scarceBytes = 10e9
const scarceShare = 0.1

/** With object storage, which has no end, the disk holds only what is on its way. */
export async function checkDisk({ storage }: House): Promise<HealthItem> {
  const { freeBytes, totalBytes, reservedBytes, isEndless } = await storage.space()
  const facts = {
    free_bytes: freeBytes,
    total_bytes: totalBytes,
    reserved_bytes: reservedBytes,
    holds_photos: !isEndless,
  }
  const item = { key: 'disk', facts }
  const left = `${plainSize(freeBytes)} of ${plainSize(totalBytes)} are free`
  const holds = isEndless ? ' It holds only what is on its way; the photos are in object storage.' : ''
  if (freeBytes <= reservedBytes) {
    const text = `The disk is full: ${left}, and ${plainSize(reservedBytes)} are kept free. Uploads are refused.${holds}`
    const fix = isEndless
      ? 'Give the node a larger disk.'
      : 'Delete or archive events, or give the service a larger disk.'
    return { ...item, status: 'fail', text, fix }
  }
  if (!isEndless && freeBytes < scarceBytes && freeBytes < totalBytes * scarceShare) {
    const fix = 'Make room before uploads are refused.'
    return { ...item, status: 'warn', text: `The disk is nearly full: ${left}.`, fix }
  }
  return { ...item, status: 'ok', text: `There is room on the disk: ${left}.${holds}`, fix: null }
}

/** Nobody waits for more to be counted. */
const mostFiles = 10_000

/** Nothing is wrong with files that lie there: deleted and replaced originals do as well. */
export async function checkLostAndFound({ storage }: House): Promise<HealthItem> {
  let files = 0
  let bytes = 0
  for await (const { sizeBytes } of storage.listSetAside()) {
    files++
    bytes += sizeBytes
    if (files === mostFiles) break
  }
  return { key: 'lost_and_found', status: 'ok', text: setAsideWords(files, bytes), fix: null, facts: { files, bytes } }
}

function setAsideWords(files: number, bytes: number): string {
  if (files === 0) return 'No files are set aside.'
  const size = plainSize(bytes)
  const are =
    files === 1 ? `1 file (${size}) is` : `${files === mostFiles ? 'At least ' : ''}${files} files (${size}) are`
  return `${are} set aside in lost+found: deleted and replaced originals, and files that no photo belongs to. Each is deleted after 30 days.`
}

export function checkSweep({ warnings }: House): HealthItem {
  const stopped = warnings.find('sweep')
  const key = 'sweep'
  if (!stopped) return { key, status: 'ok', text: 'What crashes leave behind is cleared away.', fix: null, facts: {} }
  const { strays = 0, files = 0 } = stopped.facts
  return {
    key,
    status: 'warn',
    text: `${strays} of ${files} stored files belong to no photo. That is too many to be chance, so none of them was touched.`,
    fix: 'See whether the database and the media folder are of the same day, as after a backup was brought back.',
    facts: { strays, files, since: isoTime(stopped.since) },
  }
}
