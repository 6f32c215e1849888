import { sql } from 'kysely'
import { inSnapshot } from '../platform/database/transaction.ts'
import { days } from '../platform/time/clock.ts'
import { version } from '../platform/version.ts'
import type { AppContext } from '../settings/app-context.ts'

const failurePeriodMs = days(7)

/** Adds the queues, the disk and the commits of the database to the metrics. Nothing is read before a scrape. */
export function addWorkGauges(ctx: AppContext): void {
  ctx.gauges.add({
    name: 'proofroom_build_info',
    help: 'The version of this process; always 1.',
    type: 'gauge',
    read: () => [{ labels: { version }, value: 1 }],
  })
  addImageGauges(ctx)
  addQueueGauges(ctx)
  addDiskGauges(ctx)
  ctx.gauges.add({
    name: 'proofroom_database_commit_duration_seconds',
    help: 'Duration of the commits of this process. On SQLite, transactions that wait share one commit.',
    type: 'histogram',
    read: () => ctx.database.commits.samples(),
  })
}

function addImageGauges({ gauges, imageWorkers }: AppContext): void {
  gauges.add(
    {
      name: 'proofroom_image_jobs_waiting',
      help: 'Pictures of this process that wait for an image worker, by queue.',
      type: 'gauge',
      read: () => Object.entries(imageWorkers.waiting()).map(([queue, value]) => ({ labels: { queue }, value })),
    },
    {
      name: 'proofroom_image_jobs_running',
      help: 'Pictures that an image worker of this process decodes.',
      type: 'gauge',
      read: () => imageWorkers.running(),
    },
    {
      name: 'proofroom_image_workers_lost_total',
      help: 'Image workers of this process that crashed or took too long.',
      type: 'counter',
      read: () => imageWorkers.lostWorkers(),
    },
  )
}

/** On SQLite a read outside of a transaction would start the reader thread at each scrape. */
function addQueueGauges({ gauges, db, clock }: AppContext): void {
  gauges.add(
    {
      name: 'proofroom_videos',
      help: 'Videos of the instance whose still is not made, by state.',
      type: 'gauge',
      read: () =>
        inSnapshot(db, async (tx) => {
          const rows = await tx
            .selectFrom('photos')
            .select(['processing_status', sql<number>`count(*)`.as('count')])
            // A literal instead of a parameter, so that the partial index is used.
            .where(sql<boolean>`processing_status <> 'ready'`)
            .groupBy('processing_status')
            .execute()
          return ['processing', 'failed'].map((state) => ({
            labels: { state },
            value: Number(rows.find((row) => row.processing_status === state)?.count ?? 0),
          }))
        }),
    },
    {
      name: 'proofroom_mails',
      help: 'Mails of the instance that are queued, or have failed in the last 7 days.',
      type: 'gauge',
      read: () =>
        inSnapshot(db, async (tx) => {
          const count = tx.selectFrom('mails').select(sql<number>`count(*)`.as('count'))
          const queued = await count.where('next_attempt_at', 'is not', null).executeTakeFirstOrThrow()
          const failed = await count
            .where('created_at', '>=', clock.now() - failurePeriodMs)
            .where('status', '=', 'failed')
            .executeTakeFirstOrThrow()
          return [
            { labels: { state: 'queued' }, value: Number(queued.count) },
            { labels: { state: 'failed' }, value: Number(failed.count) },
          ]
        }),
    },
  )
}

function addDiskGauges({ gauges, storage }: AppContext): void {
  gauges.add(
    {
      name: 'proofroom_disk_free_bytes',
      help: 'Free space of the disk that holds the files, or only incoming files if there is a bucket.',
      type: 'gauge',
      read: async () => (await storage.space()).freeBytes,
    },
    {
      name: 'proofroom_disk_size_bytes',
      help: 'Size of that disk.',
      type: 'gauge',
      read: async () => (await storage.space()).totalBytes,
    },
    {
      name: 'proofroom_disk_reserved_bytes',
      help: 'Free space below which uploads are rejected.',
      type: 'gauge',
      read: async () => (await storage.space()).reservedBytes,
    },
  )
}
