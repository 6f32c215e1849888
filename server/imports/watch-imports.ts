import { mkdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { seconds } from '../platform/clock.ts'
import type { S3Config } from '../platform/config.ts'
import { appErrorOf } from '../platform/http/problem-replies.ts'
import type { AppContext } from '../settings/app-context.ts'
import { folderSource } from './folder-source.ts'
import { type ImportSource, warningOf } from './import-source.ts'
import { createImportScan, type ImportScan, type ScanReport } from './look-for-imports.ts'
import { pauseAfter } from './pause-after.ts'

const defaultScanIntervalMs = seconds(10)

/** Only one node scans at a time. It polls, because network drives have no file system events. */
export function startImports(
  ctx: AppContext,
  scanIntervalMs: number = defaultScanIntervalMs,
): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const watching = openSources(ctx).map(async (opening) => {
    const source = await opening
    await watch(ctx, source, createImportScan(ctx, source, scanIntervalMs), { scanIntervalMs, signal })
    source.close()
  })
  for (const one of watching) one.catch((err) => ctx.log.error({ err }, 'Imports have ended'))

  return {
    /** Aborts a copy in progress, which the next start repeats. A photo that is being created is completed. */
    async stop() {
      stopping.abort()
      await Promise.allSettled(watching)
    },
  }
}

function openSources({ config }: AppContext): Promise<ImportSource>[] {
  return [openFolder(config.importDir), ...(config.s3 ? [openBucket(config.s3)] : [])]
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

type Watching = { scanIntervalMs: number; signal: AbortSignal }

async function watch(ctx: AppContext, source: ImportSource, look: ImportScan, { scanIntervalMs, signal }: Watching) {
  let isBroken = false
  // The warning of an earlier process may still exist.
  let mayHaveWarning = true
  while (!signal.aborted) {
    let pauseMs = scanIntervalMs
    try {
      await ctx.database.alone(`import by ${source.kind}`, async () => {
        const report = await look(signal)
        mayHaveWarning = updateWarning(ctx, source, report, mayHaveWarning)
        pauseMs = pauseAfter(report, scanIntervalMs)
      })
      isBroken = false
    } catch (err) {
      ctx.warnings.raise(warningOf(source), { is_broken: 1 })
      mayHaveWarning = true
      if (!isBroken) logFailure(ctx, source, err)
      isBroken = true
    }
    await pause(pauseMs, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

/**
 * Returns whether a warning is raised. Only a node that may have raised it clears it: nodes may have different folders.
 */
function updateWarning(
  { log, warnings }: AppContext,
  source: ImportSource,
  report: ScanReport,
  mayHaveWarning: boolean,
): boolean {
  const { taken, unknown, stray, archived, full, unreadable } = report
  const isAnyTaken = taken.imported + taken.already_present + taken.refused > 0
  if (isAnyTaken) log.info({ ...taken, by: source.kind }, 'Files were imported')
  const isWaiting = unknown.length + stray.length + archived.length + full.length + unreadable > 0
  const names = { unknown: listed(unknown), stray: listed(stray), archived: listed(archived), full: listed(full) }
  const facts = { ...names, unreadable }
  if (isWaiting) warnings.raise(warningOf(source), facts)
  else if (mayHaveWarning) warnings.clear(warningOf(source))
  return isWaiting
}

const maxListed = 3

const listed = (names: string[]): string =>
  names.length > maxListed
    ? `${names.slice(0, maxListed).join(', ')} and ${names.length - maxListed} more`
    : names.join(', ')

function logFailure({ log }: AppContext, { kind }: ImportSource, err: unknown): void {
  if (appErrorOf(err).code === 'UNAVAILABLE')
    log.warn({ err, by: kind }, 'Nothing can be imported until the database and the storage answer')
  else log.error({ err, by: kind }, 'What is to be imported could not be looked at')
}
