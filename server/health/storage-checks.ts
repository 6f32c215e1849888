import { sql } from 'kysely'
import type { HealthItem } from '../../contract/health.ts'
import { isoTime } from '../platform/clock.ts'
import type { House } from '../settings/house.ts'
import { plainSize } from './plain-size.ts'

export async function checkDatabase({ db }: House): Promise<HealthItem> {
  await sql`select 1`.execute(db)
  return { key: 'database', status: 'ok', text: 'The database answers.', fix: null, facts: { kind: 'SQLite' } }
}

export async function checkStorage({ storage }: House): Promise<HealthItem> {
  const isReached = await storage.check().then(
    () => true,
    () => false,
  )
  const facts = { kind: 'disk' }
  if (isReached) return { key: 'storage', status: 'ok', text: 'The storage of the photos answers.', fix: null, facts }
  const fix = 'See that the media folder in DATA_DIR is there and can be written to.'
  return { key: 'storage', status: 'fail', text: 'The storage of the photos cannot be written to.', fix, facts }
}

const scarceBytes = 10e9
const scarceShare = 0.1

export async function checkDisk({ storage }: House): Promise<HealthItem> {
  const { freeBytes, totalBytes, reservedBytes } = await storage.space()
  const facts = { free_bytes: freeBytes, total_bytes: totalBytes, reserved_bytes: reservedBytes }
  const left = `${plainSize(freeBytes)} of ${plainSize(totalBytes)} are free`
  const item = { key: 'disk', facts }
  if (freeBytes <= reservedBytes) {
    const text = `The disk is full: ${left}, and ${plainSize(reservedBytes)} are kept free. Uploads are refused.`
    return { ...item, status: 'fail', text, fix: 'Delete or archive events, or give the service a larger disk.' }
  }
  if (freeBytes < scarceBytes && freeBytes < totalBytes * scarceShare) {
    return {
      ...item,
      status: 'warn',
      text: `The disk is nearly full: ${left}.`,
      fix: 'Make room before uploads are refused.',
    }
  }
  return { ...item, status: 'ok', text: `There is room on the disk: ${left}.`, fix: null }
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
