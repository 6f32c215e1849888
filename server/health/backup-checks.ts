import type { HealthItem } from '../../contract/instance/health.ts'
import { type BackupRow, findLastBackups, type LastBackups } from '../backups/backup-rows.ts'
import { findOwnProgram } from '../platform/process/own-program.ts'
import { days, isoTime, isoTimeOrNull } from '../platform/time/clock.ts'
import type { AppContext } from '../settings/app-context.ts'
import { type CheckResult, fail, type HealthFormatter, ok, warn } from './health-formatter.ts'

/** Allows a weekly backup that is one day late. */
const oldAfterMs = days(8)

export async function checkBackup(ctx: AppContext, formatter: HealthFormatter): Promise<HealthItem> {
  const found = await findLastBackups(ctx.db)
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
    secrets: lastGood?.secrets ?? null,
    program: findOwnProgram(),
  }
  const result = describeBackup(formatter, found, ctx.clock.now(), await hasPhotos(ctx))
  return { key: 'backup', ...describeSecrets(ctx, formatter, result, lastGood), facts }
}

function describeBackup(
  formatter: HealthFormatter,
  { last, lastGood }: LastBackups,
  now: number,
  isNeeded: boolean,
): CheckResult {
  const { t, day } = formatter
  if (last && last.problem !== null) {
    const failed = t('backupFailed', { day: day(last.finished_at), problem: last.problem })
    return fail(`${failed} ${describeLastGood(formatter, lastGood)}`, t('backupFailedFix'))
  }
  if (!lastGood) {
    return isNeeded ? warn(t('backupNone'), t('backupNoneFix')) : ok(t('backupNothing'))
  }
  if (now - lastGood.started_at > oldAfterMs) {
    return warn(t('backupOld', { day: day(lastGood.started_at) }), t('backupOldFix'))
  }
  const text = `${describeLastGood(formatter, lastGood)} ${describeVerification(formatter, lastGood)}`
  return describeLoss(formatter, lastGood) ?? ok(text)
}

/** Warns if only the data folder has the generated key. A key that an operator has set is also elsewhere. */
function describeSecrets(
  { config }: AppContext,
  { t }: HealthFormatter,
  result: CheckResult,
  lastGood: BackupRow | undefined,
): CheckResult {
  if (result.status !== 'ok' || lastGood?.secrets !== 'none') return result
  const text = `${result.text} ${t('backupNoSecrets')}`
  return config.encryptionKey === null ? warn(text, t('backupNoSecretsFix')) : ok(text)
}

function describeLoss({ t, day }: HealthFormatter, row: BackupRow): CheckResult | null {
  const { missing, damaged, started_at, verified_problems: wrong } = row
  if (wrong !== null && wrong > 0) {
    return fail(t('backupWrong', { day: day(started_at), count: wrong }), t('backupWrongFix'))
  }
  const lost = missing + damaged
  return lost === 0 ? null : warn(t('backupLost', { day: day(started_at), count: lost }), t('backupLostFix'))
}

const describeLastGood = ({ t, day, size }: HealthFormatter, row: BackupRow | undefined): string =>
  row === undefined
    ? t('backupNoOther')
    : t('backupStands', { day: day(row.started_at), count: row.files, size: size(row.bytes) })

const describeVerification = ({ t, day }: HealthFormatter, { verified_at }: BackupRow): string =>
  verified_at === null ? t('backupUntried') : t('backupTried', { day: day(verified_at) })

async function hasPhotos({ db }: AppContext): Promise<boolean> {
  return (await db.selectFrom('photos').select('id').limit(1).executeTakeFirst()) !== undefined
}
