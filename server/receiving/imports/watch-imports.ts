import { mkdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { S3Config } from '../../platform/configuration/config.ts'
import { asAppError } from '../../platform/errors/as-app-error.ts'
import { seconds } from '../../platform/time/clock.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { folderSource } from './folder-source.ts'
import { type ImportSource, importWarningKey } from './import-source.ts'
import { createImportScan, type ImportScan, type ScanReport } from './scan-imports.ts'

/** Only one node scans a source at a time. Nodes poll, because network drives do not report file system events. */
export function startImports(ctx: AppContext, scanIntervalMs = seconds(10)): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const { importDir, s3 } = ctx.config
  const watchers = [openFolder(importDir), ...(s3 ? [openBucket(s3)] : [])].map(async (opening) => {
    const source = await opening
    await watch(ctx, source, createImportScan(ctx, source, scanIntervalMs), { scanIntervalMs, signal })
    source.close()
  })
  for (const one of watchers) one.catch((err) => ctx.log.error({ err }, 'Imports stopped after an error'))

  return {
    /** Aborts a copy in progress, which the next start repeats. A photo that is being created is completed. */
    async stop() {
      stopping.abort()
      await Promise.allSettled(watchers)
    },
  }
}

/** If the folder cannot be created or read, every scan reports it. */
async function openFolder(path: string): Promise<ImportSource> {
  await mkdir(path, { recursive: true }).catch(() => undefined)
  return folderSource(path)
}

async function openBucket(s3: S3Config): Promise<ImportSource> {
  const { bucketSource } = await import('./bucket-source.ts')
  return bucketSource(s3)
}

/** Limits listing to about a twentieth of the time. */
const pausePerListing = 20
/** A single slow listing must not cause a pause of hours. */
const maxPauseIntervals = 30

/** Returns milliseconds until the next scan; 0 if files are left. */
export function computeScanPauseMs(
  { hasMore, listingMs }: Pick<ScanReport, 'hasMore' | 'listingMs'>,
  intervalMs: number,
): number {
  if (hasMore) return 0
  return Math.max(intervalMs, Math.min(listingMs * pausePerListing, maxPauseIntervals * intervalMs))
}

type Watching = { scanIntervalMs: number; signal: AbortSignal }

async function watch(ctx: AppContext, source: ImportSource, scan: ImportScan, { scanIntervalMs, signal }: Watching) {
  let isBroken = false
  // The warning of an earlier process may still exist.
  let mayHaveWarning = true
  while (!signal.aborted) {
    let pauseMs = scanIntervalMs
    try {
      await ctx.database.runExclusively(`import by ${source.kind}`, async () => {
        const report = await scan(signal)
        mayHaveWarning = updateWarning(ctx, source, report, mayHaveWarning)
        pauseMs = computeScanPauseMs(report, scanIntervalMs)
      })
      isBroken = false
    } catch (err) {
      ctx.warnings.raise(importWarningKey(source), { is_broken: 1 })
      mayHaveWarning = true
      if (!isBroken) logFailure(ctx, source, err)
      isBroken = true
    }
    await pause(pauseMs, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

/**
 * Returns whether a warning was raised. A node clears only warnings that it may have raised, because nodes can have
 * different import folders.
 */
function updateWarning(
  { log, warnings }: AppContext,
  source: ImportSource,
  { importCounts, unknown, stray, archived, full, unreadable }: ScanReport,
  mayHaveWarning: boolean,
): boolean {
  if (Object.values(importCounts).some((count) => count > 0))
    log.info({ ...importCounts, by: source.kind }, 'Imported files')
  const isWaiting = unknown.length + stray.length + archived.length + full.length + unreadable > 0
  const facts = {
    unknown: formatNames(unknown),
    stray: formatNames(stray),
    archived: formatNames(archived),
    full: formatNames(full),
    unreadable,
  }
  if (isWaiting) warnings.raise(importWarningKey(source), facts)
  else if (mayHaveWarning) warnings.clear(importWarningKey(source))
  return isWaiting
}

const maxListed = 3

const formatNames = (names: string[]): string =>
  names.length > maxListed
    ? `${names.slice(0, maxListed).join(', ')} and ${names.length - maxListed} more`
    : names.join(', ')

function logFailure({ log }: AppContext, { kind }: ImportSource, err: unknown): void {
  if (asAppError(err).code === 'UNAVAILABLE')
    log.warn({ err, by: kind }, 'Imports are paused until the database and the storage are available')
  else log.error({ err, by: kind }, 'Could not scan for files to import')
}
