import { createServer } from 'node:http'
import { flushCompileCache } from 'node:module'
import { pino } from 'pino'
import { createFirstAdmin } from './access/accounts.ts'
import { pruneIdempotencyKeys } from './access/idempotency-rows.ts'
import { pruneFailures } from './access/limits/sign-in-lock.ts'
import { readMetrics } from './access/metrics-api.ts'
import { pruneFamilies } from './access/refresh-families.ts'
import { pruneRevocations } from './access/revocations.ts'
import { createApp } from './app.ts'
import { addBackupGauges } from './backups/backup-gauges.ts'
import { type ContextOverrides, createAppContext } from './create-app-context.ts'
import { pruneActivity } from './dashboard/activity/activity-log.ts'
import { recordMissingLocations } from './downloads/find-photo-location.ts'
import { removeFilesOfDeletedEvents, removeFoldersOfDeletedEvents } from './events/delete-event.ts'
import { expireEvents } from './events/expire-events.ts'
import { pruneGalleryPasswords } from './events/gallery-passwords.ts'
import { pruneGuestLinks } from './events/guests/guest-links.ts'
import { pruneLiveEvents } from './events/live/live-event-rows.ts'
import { warnOfExpiry } from './events/mail/warn-of-expiry.ts'
import { announceFeedback } from './feedback/announce-feedback.ts'
import { sendNotices } from './feedback/notices/send-notices.ts'
import { deleteUnusedKeptKey } from './health/unused-kept-key.ts'
import { addWorkGauges } from './health/work-gauges.ts'
import { pruneInvites } from './people/invite-rows.ts'
import { dropRenditionsOfArchivedEvents } from './photos/drop-renditions.ts'
import { loadMailPictures } from './photos/load-mail-pictures.ts'
import { createStaleProfiles } from './photos/renditions/drop-stale-profiles.ts'
import { startWarming } from './photos/renditions/warm-renditions.ts'
import { purgeTrash } from './photos/trash/purge-trash.ts'
import { startVideoProcessing } from './photos/videos/process-videos.ts'
import { repeat, repeatOnOneNode } from './platform/background/schedule.ts'
import { pruneRateCounts } from './platform/background/shared-rate-counter.ts'
import type { Config } from './platform/configuration/config.ts'
import { startMailDelivery } from './platform/mail/mail-delivery.ts'
import { pruneMails } from './platform/mail/queue-mail.ts'
import { assertPortFree } from './platform/process/assert-port-free.ts'
import { hours, minutes, seconds } from './platform/time/clock.ts'
import { sweepUploads } from './receiving/chunked/sweep-uploads.ts'
import { pruneRejected } from './receiving/imports/import-rows.ts'
import { startImports } from './receiving/imports/watch-imports.ts'
import { clearStaging, sweepStorage } from './repair/sweep-storage.ts'
import { recordDelivered, recordSentMail } from './selections/notified-selections.ts'
import type { AppContext } from './settings/app-context.ts'
import { pruneDeliveries } from './webhooks/delivery/prune-deliveries.ts'
import { startWebhookDelivery } from './webhooks/delivery/webhook-delivery.ts'

export type Service = {
  address: string
  /** Lets running requests end within the grace period, then closes everything. */
  stop: () => Promise<void>
}

/**
 * If the first start generates a password, `onFirstPassword` gets that password, even if the start fails later. Throws
 * the error of `listen` before anything is stored, if the service cannot listen on its address.
 */
export async function startService(
  config: Config,
  overrides: ContextOverrides = {},
  onFirstPassword: (password: string) => void = () => undefined,
): Promise<Service> {
  const log = pino({ level: config.logLevel })
  await assertPortFree(config.port, config.host)
  if (config.metricsPort !== null) await assertPortFree(config.metricsPort, config.host)
  const { ctx, close } = await createAppContext(config, log, overrides)
  const firstPassword = await createFirstAdmin(ctx)
  if (firstPassword !== null) onFirstPassword(firstPassword)
  if (await deleteUnusedKeptKey(ctx)) {
    log.info(
      'Deleted the generated encryption key in the database: ENCRYPTION_KEY is set, and no value uses the other key',
    )
  }
  const { http, drain, renditions } = await createApp(ctx)
  const address = await http.listen({ port: config.port, host: config.host })
  const metrics = config.metricsPort === null ? null : await listenForMetrics(ctx, config.metricsPort)
  const mail = startMailDelivery(ctx, recordSentMail, (mail) => loadMailPictures(ctx, mail))
  const webhooks = startWebhookDelivery(ctx, recordDelivered)
  const warming = startWarming(ctx, renditions, overrides.warmAfterMs)
  const videos = startVideoProcessing(ctx)
  const imports = startImports(ctx, overrides.importEveryMs)
  addBackupGauges(ctx)
  addWorkGauges(ctx)
  const jobs = startJobs(ctx)
  // Writes the compile cache now, so that it exists even after a crash.
  flushCompileCache()

  return {
    address,
    async stop() {
      log.info('Stopping: waiting for running requests to finish')
      const graceSeconds = config.shutdownGraceSeconds
      await Promise.all([
        drain(graceSeconds),
        mail.stop(graceSeconds),
        webhooks.stop(graceSeconds),
        warming.stop(),
        videos.stop(),
        imports.stop(),
      ])
      await Promise.all(jobs.map((job) => job.stop()))
      http.server.closeAllConnections()
      await http.close()
      metrics?.close()
      await close()
      log.info('Stopped')
    },
  }
}

/** Starts the jobs that run at intervals. All but the first two run on one node at a time. */
function startJobs(ctx: AppContext) {
  const staleProfiles = createStaleProfiles(ctx)
  const { reserve } = ctx.database
  const once = (name: string, intervalMs: number, work: () => Promise<void>) =>
    repeatOnOneNode(ctx, name, intervalMs, work)
  return [
    ...(reserve ? [repeat(ctx.log, 'keep the reserve', minutes(1), reserve.refill)] : []),
    repeat(ctx.log, 'clear staging files of ended processes', hours(1), () => clearStaging(ctx)),
    once('announce expired events', seconds(30), () => expireEvents(ctx)),
    once('announce changed feedback', seconds(5), () => announceFeedback(ctx)),
    once('send expiry warnings', seconds(30), () => warnOfExpiry(ctx)),
    once('send mails about requests', seconds(30), () => sendNotices(ctx)),
    once('record missing photo locations', hours(1), () => recordMissingLocations(ctx)),
    once('prune rate-limit counts', hours(1), () => pruneRateCounts(ctx)),
    once('sweep storage', hours(1), () => sweepStorage(ctx)),
    once('sweep abandoned uploads', hours(1), () => sweepUploads(ctx)),
    once('delete renditions of archived events', minutes(1), () => dropRenditionsOfArchivedEvents(ctx)),
    once('delete stale renditions', hours(1), staleProfiles.drop),
    once('remove files of deleted events', hours(1), async () => {
      await removeFilesOfDeletedEvents(ctx)
      await removeFoldersOfDeletedEvents(ctx)
    }),
    once('purge the trash', hours(1), () => purgeTrash(ctx)),
    once('prune idempotency keys', hours(1), () => pruneIdempotencyKeys(ctx)),
    once('prune activity', hours(1), () => pruneActivity(ctx)),
    once('prune live events', minutes(5), () => pruneLiveEvents(ctx)),
    once('prune webhook deliveries', hours(1), () => pruneDeliveries(ctx)),
    once('prune rejected imports', hours(1), () => pruneRejected(ctx)),
    once('prune emails', hours(1), () => pruneMails(ctx)),
    once('prune sign-in records', hours(1), async () => {
      await pruneRevocations(ctx)
      await pruneFamilies(ctx)
      await pruneFailures(ctx)
      await pruneGuestLinks(ctx)
      await pruneInvites(ctx)
      await pruneGalleryPasswords(ctx)
    }),
  ]
}

/** Serves the metrics without authentication. */
async function listenForMetrics(ctx: AppContext, port: number) {
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') return response.writeHead(404).end()
    const { contentType, text } = await readMetrics(ctx)
    return response.writeHead(200, { 'content-type': contentType }).end(text)
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, ctx.config.host, resolve))
  return server
}
