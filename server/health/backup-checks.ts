import type { HealthItem } from '../../contract/health.ts'
import { type BackupRow, findLastBackups, type LastBackups } from '../backups/backup-rows.ts'
import { days, isoTime, isoTimeOrNull } from '../platform/clock.ts'
import type { House } from '../settings/house.ts'
import { plainSize } from './plain-size.ts'

/** A backup every day, or every week and late. */
const oldAfterMs = days(8)

export async function checkBackup({ db, clock }: House): Promise<HealthItem> {
  const found = await findLastBackups(db)
  const { last, lastGood } = found
  const facts = {
    made_at: isoTimeOrNull(lastGood?.started_at ?? null),
    files: lastGood?.files ?? null,
    bytes: lastGood?.bytes ?? null,
    lost: lastGood ? lastGood.missing + lastGood.damaged : null,
    failed_at: last && last.problem !== null ? isoTime(last.finished_at) : null,
    problem: last?.problem ?? null,
    verified_at: isoTimeOrNull(lastGood?.verified_at ?? null),
    verified_problems: lastGood?.verified_problems ?? null,
  }
  return { key: 'backup', ...backupWords(found, clock.now(), await oldestPhoto(db)), facts }
}

type Words = Pick<HealthItem, 'status' | 'text' | 'fix'>

function backupWords({ last, lastGood }: LastBackups, now: number, firstPhotoAt: number | null): Words {
  if (last && last.problem !== null) {
    const text = `The backup of ${dayOf(last.finished_at)} has failed (${last.problem}). ${standing(lastGood)}`
    return { status: 'fail', text, fix: 'See what `proofroom backup` has printed, and run it again.' }
  }
  if (!lastGood) {
    const text = 'No backup was ever made with Proofroom itself.'
    if (firstPhotoAt === null || now - firstPhotoAt < oldAfterMs) return { status: 'ok', text, fix: null }
    return { status: 'warn', text, fix: 'Have `proofroom backup` run every night, to another disk or another house.' }
  }
  if (now - lastGood.started_at > oldAfterMs) {
    const text = `The last backup is of ${dayOf(lastGood.started_at)}.`
    return { status: 'warn', text, fix: 'See why `proofroom backup` does not run any more.' }
  }
  return lossWords(lastGood) ?? { status: 'ok', text: `${standing(lastGood)} ${trialOf(lastGood)}`, fix: null }
}

function lossWords({ missing, damaged, started_at, verified_problems }: BackupRow): Words | null {
  if (verified_problems !== null && verified_problems > 0) {
    const wrong = verified_problems === 1 ? '1 thing was' : `${verified_problems} things were`
    const text = `The backup of ${dayOf(started_at)} was restored for a trial, and ${wrong} wrong with it.`
    return {
      status: 'fail',
      text,
      fix: 'Delete the contents that `proofroom verify-backup` names, and make another backup, which copies them again.',
    }
  }
  const lost = missing + damaged
  if (lost === 0) return null
  const files = lost === 1 ? '1 file was' : `${lost} files were`
  const text = `When the backup of ${dayOf(started_at)} was made, ${files} missing from the storage or damaged in it.`
  return {
    status: 'warn',
    text,
    fix: 'The list `files.jsonl` of the backup names them; an older backup may have them.',
  }
}

const standing = (row: BackupRow | undefined): string =>
  row === undefined
    ? 'There is no other one.'
    : `The last backup is of ${dayOf(row.started_at)}: ${row.files} files, ${plainSize(row.bytes)}.`

const trialOf = ({ verified_at }: BackupRow): string =>
  verified_at === null
    ? 'It was not yet restored for a trial.'
    : `It was restored for a trial on ${dayOf(verified_at)}.`

const dayOf = (moment: number): string => isoTime(moment).slice(0, 10)

/** When the first of the photos came that are there; null where there is none. */
async function oldestPhoto(db: House['db']): Promise<number | null> {
  const first = await db.selectFrom('photos').select('uploaded_at').orderBy('id').limit(1).executeTakeFirst()
  return first?.uploaded_at ?? null
}
