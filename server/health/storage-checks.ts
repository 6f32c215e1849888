import { sql } from 'kysely'
import type { HealthItem } from '../../contract/health.ts'
import { isoTime } from '../platform/clock.ts'
import { StorageRefused } from '../platform/storage/storage.ts'
import type { AppContext } from '../settings/app-context.ts'
import type { HealthVoice } from './health-voice.ts'

export async function checkDatabase({ db, database }: AppContext, { say }: HealthVoice): Promise<HealthItem> {
  await sql`select 1`.execute(db)
  const facts = { kind: database.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL' }
  return { key: 'database', status: 'ok', text: say('databaseAnswers'), fix: null, facts }
}

export async function checkStorage({ storage, config }: AppContext, { say }: HealthVoice): Promise<HealthItem> {
  const error: unknown = await storage.check().then(
    () => null,
    (reason) => reason,
  )
  const item = { key: 'storage', facts: { kind: config.s3 ? 'S3' : 'disk' } }
  if (error === null) return { ...item, status: 'ok', text: say('storageAnswers'), fix: null }
  const problem = config.s3 === null ? 'storageBroken' : error instanceof StorageRefused ? 'storeRefuses' : 'storeAway'
  return { ...item, status: 'fail', text: say(problem), fix: say(`${problem}Fix`) }
}

const scarceBytes = 10e9
const scarceShare = 0.1

/** With object storage, the disk holds only temporary files. */
export async function checkDisk({ storage }: AppContext, { say, size }: HealthVoice): Promise<HealthItem> {
  const { freeBytes, totalBytes, reservedBytes, isEndless } = await storage.space()
  const facts = {
    free_bytes: freeBytes,
    total_bytes: totalBytes,
    reserved_bytes: reservedBytes,
    holds_photos: !isEndless,
  }
  const item = { key: 'disk', facts }
  const left = { free: size(freeBytes), total: size(totalBytes) }
  const holds = isEndless ? ` ${say('diskIsOnTheWay')}` : ''
  if (freeBytes <= reservedBytes) {
    const text = say('diskFull', { ...left, reserved: size(reservedBytes) })
    return { ...item, status: 'fail', text: text + holds, fix: say(isEndless ? 'diskOfNodeFullFix' : 'diskFullFix') }
  }
  if (!isEndless && freeBytes < scarceBytes && freeBytes < totalBytes * scarceShare) {
    return { ...item, status: 'warn', text: say('diskScarce', left), fix: say('diskScarceFix') }
  }
  return { ...item, status: 'ok', text: say('diskHasRoom', left) + holds, fix: null }
}

/** Limits the time of the check. */
const maxFiles = 10_000

/** Quarantined files are normal: deleted and replaced originals are among them. */
export async function checkLostAndFound({ storage }: AppContext, voice: HealthVoice): Promise<HealthItem> {
  let files = 0
  let bytes = 0
  for await (const { sizeBytes } of storage.listSetAside()) {
    files++
    bytes += sizeBytes
    if (files === maxFiles) break
  }
  const text = setAsideWords(voice, files, bytes)
  return { key: 'lost_and_found', status: 'ok', text, fix: null, facts: { files, bytes } }
}

function setAsideWords({ say, size }: HealthVoice, files: number, bytes: number): string {
  if (files === 0) return say('nothingSetAside')
  return say(files === maxFiles ? 'setAsideAtLeast' : 'setAside', { count: files, size: size(bytes) })
}

export function checkSweep({ warnings }: AppContext, { say }: HealthVoice): HealthItem {
  const stopped = warnings.find('sweep')
  const key = 'sweep'
  if (!stopped) return { key, status: 'ok', text: say('sweepRuns'), fix: null, facts: {} }
  const { strays = 0, files = 0 } = stopped.facts
  return {
    key,
    status: 'warn',
    text: say('sweepStopped', { strays, files }),
    fix: say('sweepStoppedFix'),
    facts: { strays, files, since: isoTime(stopped.since) },
  }
}
