import { access, constants } from 'node:fs/promises'
import { sql } from 'kysely'
import type { HealthItem } from '../../contract/health.ts'
import { videoFileTypes } from '../../contract/settings.ts'
import { days, hours, isoTimeOrNull } from '../platform/clock.ts'
import { findFfmpeg } from '../platform/media/find-ffmpeg.ts'
import type { House } from '../settings/house.ts'

const oldAfterMs = hours(1)
const failuresOfMs = days(7)

export async function checkMail({ db, clock, mailer }: House): Promise<HealthItem> {
  const now = clock.now()
  const queue = await db
    .selectFrom('mails')
    .select([sql<number>`count(*)`.as('count'), sql<number | null>`min(created_at)`.as('oldest')])
    .where('next_attempt_at', 'is not', null)
    .executeTakeFirstOrThrow()
  const failed = await db
    .selectFrom('mails')
    .select(sql<number>`count(*)`.as('count'))
    .where('created_at', '>=', now - failuresOfMs)
    .where('status', '=', 'failed')
    .executeTakeFirstOrThrow()
  const isConfigured = mailer.newStatus === 'queued'
  const oldest = queue.oldest === null ? null : Number(queue.oldest)
  const counts = { queued: Number(queue.count), failed: Number(failed.count) }
  const facts = { is_configured: isConfigured, ...counts, oldest_queued_at: isoTimeOrNull(oldest) }
  return { key: 'mail', ...mailWords(isConfigured, counts, oldest !== null && now - oldest > oldAfterMs), facts }
}

type Words = Pick<HealthItem, 'status' | 'text' | 'fix'>

function mailWords(
  isConfigured: boolean,
  { queued, failed }: { queued: number; failed: number },
  isLate: boolean,
): Words {
  if (!isConfigured) {
    const text = 'No mail server is set up: mail is not sent, and can be read in the outbox.'
    return { status: 'warn', text, fix: 'Set SMTP_URL and MAIL_FROM.' }
  }
  const fix = 'Look at the last error of the mails in the outbox.'
  if (isLate) {
    const waits = queued === 1 ? '1 mail waits' : `${queued} mails wait, some`
    return { status: 'warn', text: `${waits} for more than an hour.`, fix }
  }
  if (failed > 0) return { status: 'warn', text: `${mails(failed)} of the last 7 days could not be sent.`, fix }
  const text = queued === 0 ? 'All mail has been sent.' : `${mails(queued)} ${queued === 1 ? 'is' : 'are'} on the way.`
  return { status: 'ok', text, fix: null }
}

const mails = (count: number): string => (count === 1 ? '1 mail' : `${count} mails`)

export function checkImageWorkers({ imageWorkers }: House): HealthItem {
  const lost = imageWorkers.losses()
  const item = { key: 'image_workers', facts: { lost } }
  if (lost === 0) return { ...item, status: 'ok', text: 'No image worker was lost since the start.', fix: null }
  return {
    ...item,
    status: 'warn',
    text:
      lost === 1
        ? '1 image worker ended while it decoded a picture; the picture was refused, all else went on.'
        : `${lost} image workers ended while they decoded a picture; the pictures were refused, all else went on.`,
    fix: 'The log tells when. Where it happens often, give the machine more memory.',
  }
}

export async function checkVideos({ db }: House): Promise<HealthItem> {
  const rows = await db
    .selectFrom('photos')
    .select(['processing_status', sql<number>`count(*)`.as('count')])
    // As the partial index has it.
    .where(sql<boolean>`processing_status <> 'ready'`)
    .groupBy('processing_status')
    .execute()
  const countOf = (status: string) => Number(rows.find((row) => row.processing_status === status)?.count ?? 0)
  const [processing, failed] = [countOf('processing'), countOf('failed')]
  const item = { key: 'videos', facts: { processing, failed } }
  if (failed > 0) {
    const text =
      failed === 1
        ? '1 video could not be looked into: it has no still.'
        : `${failed} videos could not be looked into: they have no still.`
    return { ...item, status: 'warn', text, fix: 'Their reason stands with each in the grid; replace or delete them.' }
  }
  return { ...item, status: 'ok', text: waitingWords(processing), fix: null }
}

function waitingWords(processing: number): string {
  if (processing === 0) return 'No video waits for its still.'
  return processing === 1 ? '1 video waits for its still.' : `${processing} videos wait for their stills.`
}

export async function checkFfmpeg({ config, settings }: House): Promise<HealthItem> {
  const types = (await settings.values()).general_allowed_file_types.split(',').map((type) => type.trim().toLowerCase())
  const isNeeded = videoFileTypes.some((type) => types.includes(type))
  const isFound = await findFfmpeg(config.ffmpegPath)
    .then((path) => access(path, constants.X_OK))
    .then(
      () => true,
      () => false,
    )
  const item = { key: 'ffmpeg', facts: { is_found: isFound, is_needed: isNeeded } }
  if (isFound) return { ...item, status: 'ok', text: 'ffmpeg, which makes the stills of videos, is there.', fix: null }
  const text = isNeeded
    ? 'Videos may be uploaded, but ffmpeg was not found: they get no stills.'
    : 'ffmpeg was not found. It is needed for videos alone, and those are not allowed.'
  return {
    ...item,
    status: isNeeded ? 'fail' : 'ok',
    text,
    fix: isNeeded ? 'Install ffmpeg and set FFMPEG_PATH.' : null,
  }
}
