import { access, constants } from 'node:fs/promises'
import { sql } from 'kysely'
import type { HealthItem } from '../../contract/health.ts'
import { videoFileTypes } from '../../contract/settings.ts'
import { days, hours, isoTimeOrNull } from '../platform/clock.ts'
import { findFfmpeg } from '../platform/media/find-ffmpeg.ts'
import type { AppContext } from '../settings/app-context.ts'
import type { HealthFormatter } from './health-formatter.ts'

const oldAfterMs = hours(1)
const failurePeriodMs = days(7)

export async function checkMail({ db, clock, mailer }: AppContext, formatter: HealthFormatter): Promise<HealthItem> {
  const now = clock.now()
  const queue = await db
    .selectFrom('mails')
    .select([sql<number>`count(*)`.as('count'), sql<number | null>`min(created_at)`.as('oldest')])
    .where('next_attempt_at', 'is not', null)
    .executeTakeFirstOrThrow()
  const failed = await db
    .selectFrom('mails')
    .select(sql<number>`count(*)`.as('count'))
    .where('created_at', '>=', now - failurePeriodMs)
    .where('status', '=', 'failed')
    .executeTakeFirstOrThrow()
  const isConfigured = mailer.newStatus === 'queued'
  const oldest = queue.oldest === null ? null : Number(queue.oldest)
  const counts = { queued: Number(queue.count), failed: Number(failed.count) }
  const facts = { is_configured: isConfigured, ...counts, oldest_queued_at: isoTimeOrNull(oldest) }
  const isLate = oldest !== null && now - oldest > oldAfterMs
  return { key: 'mail', ...describeMail(formatter, isConfigured, counts, isLate), facts }
}

type CheckMessage = Pick<HealthItem, 'status' | 'text' | 'fix'>

function describeMail(
  { t }: HealthFormatter,
  isConfigured: boolean,
  { queued, failed }: { queued: number; failed: number },
  isLate: boolean,
): CheckMessage {
  if (!isConfigured) return { status: 'warn', text: t('mailNotSetUp'), fix: t('mailNotSetUpFix') }
  if (isLate) return { status: 'warn', text: t('mailLate', { count: queued }), fix: t('mailFix') }
  if (failed > 0) return { status: 'warn', text: t('mailFailed', { count: failed }), fix: t('mailFix') }
  const text = queued === 0 ? t('mailAllSent') : t('mailOnTheWay', { count: queued })
  return { status: 'ok', text, fix: null }
}

export function checkImageWorkers({ imageWorkers }: AppContext, { t }: HealthFormatter): HealthItem {
  const lost = imageWorkers.lostWorkers()
  const item = { key: 'image_workers', facts: { lost } }
  if (lost === 0) return { ...item, status: 'ok', text: t('workersWell'), fix: null }
  return { ...item, status: 'warn', text: t('workersLost', { count: lost }), fix: t('workersLostFix') }
}

export async function checkVideos({ db }: AppContext, { t }: HealthFormatter): Promise<HealthItem> {
  const rows = await db
    .selectFrom('photos')
    .select(['processing_status', sql<number>`count(*)`.as('count')])
    // Literal, so that the partial index is used.
    .where(sql<boolean>`processing_status <> 'ready'`)
    .groupBy('processing_status')
    .execute()
  const countOf = (status: string) => Number(rows.find((row) => row.processing_status === status)?.count ?? 0)
  const [processing, failed] = [countOf('processing'), countOf('failed')]
  const item = { key: 'videos', facts: { processing, failed } }
  if (failed > 0) {
    return { ...item, status: 'warn', text: t('videosFailed', { count: failed }), fix: t('videosFailedFix') }
  }
  const text = processing === 0 ? t('videosDone') : t('videosWait', { count: processing })
  return { ...item, status: 'ok', text, fix: null }
}

export async function checkFfmpeg({ config, settings }: AppContext, { t }: HealthFormatter): Promise<HealthItem> {
  const types = (await settings.values()).general_allowed_file_types.split(',').map((type) => type.trim().toLowerCase())
  const isNeeded = videoFileTypes.some((type) => types.includes(type))
  const isFound = await findFfmpeg(config.ffmpegPath)
    .then((path) => access(path, constants.X_OK))
    .then(
      () => true,
      () => false,
    )
  const item = { key: 'ffmpeg', facts: { is_found: isFound, is_needed: isNeeded } }
  if (isFound) return { ...item, status: 'ok', text: t('ffmpegThere'), fix: null }
  if (!isNeeded) return { ...item, status: 'ok', text: t('ffmpegUnneeded'), fix: null }
  return { ...item, status: 'fail', text: t('ffmpegMissing'), fix: t('ffmpegMissingFix') }
}
