import { sql } from 'kysely'
import { heicFileTypes, splitFileTypes, videoFileTypes } from '../../contract/files/file-types.ts'
import type { HealthItem } from '../../contract/instance/health.ts'
import { findFfmpeg } from '../platform/media/video/find-ffmpeg.ts'
import { detectIsolation } from '../platform/media/video/isolation.ts'
import { days, hours, isoTimeOrNull } from '../platform/time/clock.ts'
import type { AppContext } from '../settings/app-context.ts'
import { countOverdue } from '../webhooks/delivery/delivery-gauges.ts'
import { type CheckResult, type HealthFormatter, ok, warn } from './health-formatter.ts'

/** A single failed attempt is nothing unusual, for example with greylisting. */
const repeatedAttempts = 2
const oldAfterMs = hours(1)
const failurePeriodMs = days(7)

export async function checkMail({ db, clock, mailer }: AppContext, formatter: HealthFormatter): Promise<HealthItem> {
  const now = clock.now()
  const queue = await db
    .selectFrom('mails')
    .select([
      sql<number>`count(*)`.as('count'),
      sql<number | null>`min(created_at)`.as('oldest'),
      sql<number>`count(case when attempts >= ${repeatedAttempts} then 1 end)`.as('repeated'),
    ])
    .where('next_attempt_at', 'is not', null)
    .executeTakeFirstOrThrow()
  const failed = await db
    .selectFrom('mails')
    .select(sql<number>`count(*)`.as('count'))
    .where('created_at', '>=', now - failurePeriodMs)
    .where('status', '=', 'failed')
    .executeTakeFirstOrThrow()
  const isConfigured = (await mailer.newStatus(db)) === 'queued'
  const oldest = queue.oldest === null ? null : Number(queue.oldest)
  const counts = { queued: Number(queue.count), failed: Number(failed.count) }
  const facts = { is_configured: isConfigured, ...counts, oldest_queued_at: isoTimeOrNull(oldest) }
  const isLate = oldest !== null && now - oldest > oldAfterMs
  const state = { ...counts, isConfigured, isLate, repeated: Number(queue.repeated) }
  return { key: 'mail', ...describeMail(formatter, state), facts }
}

type MailState = { isConfigured: boolean; isLate: boolean; queued: number; repeated: number; failed: number }

function describeMail(
  { t }: HealthFormatter,
  { isConfigured, isLate, queued, repeated, failed }: MailState,
): CheckResult {
  if (!isConfigured) return warn(t('mailNotSetUp'), t('mailNotSetUpFix'))
  if (isLate) return warn(t('mailLate', { count: queued }), t('mailFix'))
  if (repeated > 0) return warn(t('mailRepeated', { count: repeated }), t('mailFix'))
  if (failed > 0) return warn(t('mailFailed', { count: failed }), t('mailFix'))
  const text = queued === 0 ? t('mailAllSent') : t('mailOnTheWay', { count: queued })
  return ok(text)
}

export function checkImageWorkers({ imageWorkers }: AppContext, { t }: HealthFormatter): HealthItem {
  const lost = imageWorkers.lostWorkers()
  const item = { key: 'image_workers', facts: { lost } }
  if (lost === 0) return { ...item, ...ok(t('workersWell')) }
  return { ...item, ...warn(t('workersLost', { count: lost }), t('workersLostFix')) }
}

export async function checkVideos({ db }: AppContext, { t }: HealthFormatter): Promise<HealthItem> {
  const rows = await db
    .selectFrom('photos')
    .select(['processing_status', sql<number>`count(*)`.as('count')])
    // A literal instead of a parameter, so that the partial index is used.
    .where(sql<boolean>`processing_status <> 'ready'`)
    .groupBy('processing_status')
    .execute()
  const countOf = (status: string) => Number(rows.find((row) => row.processing_status === status)?.count ?? 0)
  const [processing, failed] = [countOf('processing'), countOf('failed')]
  const item = { key: 'videos', facts: { processing, failed } }
  if (failed > 0) {
    return { ...item, ...warn(t('videosFailed', { count: failed }), t('videosFailedFix')) }
  }
  const text = processing === 0 ? t('videosDone') : t('videosWait', { count: processing })
  return { ...item, status: 'ok', text, fix: null }
}

export async function checkDecoders({ config, settings }: AppContext, { t }: HealthFormatter): Promise<HealthItem> {
  const types = splitFileTypes((await settings.values()).general_allowed_file_types)
  const isNeeded = [...videoFileTypes, ...heicFileTypes].some((type) => types.includes(type))
  if (!isNeeded) return { key: 'decoders', facts: { is_needed: false }, ...ok(t('decodersUnneeded')) }
  const isFfmpegFound = (await findFfmpeg(config.ffmpegPath)) !== null
  const isolation = await detectIsolation()
  const text = [
    t(isFfmpegFound ? 'decodersAndFfmpeg' : 'decodersAlone'),
    t(isolation === 'sandbox' ? 'decodersSandbox' : 'decodersLimits'),
  ]
  return {
    key: 'decoders',
    facts: { is_needed: true, is_ffmpeg_found: isFfmpegFound, isolation },
    ...ok(text.join(' ')),
  }
}

const failingThreshold = 5
const maxNames = 3

export async function checkWebhooks({ db, clock }: AppContext, formatter: HealthFormatter): Promise<HealthItem> {
  const active = await db
    .selectFrom('webhooks')
    .select(['name', 'consecutive_failures'])
    .where('active', '=', 1)
    .orderBy('id')
    .execute()
  const failing = active.filter((row) => row.consecutive_failures >= failingThreshold).map(({ name }) => name)
  const overdue = await countOverdue(db, clock.now())
  const facts = { active: active.length, failing: failing.length, failing_names: failing.join(', '), overdue }
  return { key: 'webhooks', ...describeWebhooks(formatter, active.length, failing, overdue), facts }
}

function describeWebhooks(formatter: HealthFormatter, active: number, failing: string[], overdue: number): CheckResult {
  const { t } = formatter
  if (overdue > 0) {
    return warn(t('webhooksOverdue', { count: overdue }), t('webhooksOverdueFix'))
  }
  if (failing.length > 0) {
    const text = t('webhooksFail', { count: failing.length, names: formatNames(formatter, failing) })
    return warn(text, t('webhooksFailFix'))
  }
  const text = active === 0 ? t('webhooksNone') : t('webhooksServed', { count: active })
  return ok(text)
}

function formatNames({ t }: HealthFormatter, failing: string[]): string {
  const names = failing.slice(0, maxNames).join(', ')
  return failing.length > maxNames ? t('namesAndMore', { names, more: failing.length - maxNames }) : names
}
