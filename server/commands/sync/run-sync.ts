import { realpath, stat } from 'node:fs/promises'
import { type Proofroom, ProofroomError } from '../../../clients/typescript/source/index.ts'
import type { LabelLanguage } from '../../../contract/exports.ts'
import type { ColorLabel, MarkSource } from '../../../contract/marks.ts'
import { labelNames } from '../../feedback/marks/label-names.ts'
import { t } from '../../platform/text/command-messages.ts'
import { CommandRejected, exitCodes, fail } from '../command-errors.ts'
import { print, printError, printJson } from '../print.ts'
import { createProgressBar } from '../progress-bar.ts'
import type { RemoteOptions, RemoteService } from '../remote-service.ts'
import type { Preference } from './decide-marks.ts'
import { readBounded } from './read-bounded.ts'
import { syncFolder } from './sync-folder.ts'
import { formatReport, isComplete } from './sync-report.ts'

export type SyncCommandOptions = RemoteOptions & {
  marks: MarkSource
  prefer: Preference
  since?: 'last'
  push?: boolean
  selection?: number
  unratedAs?: number
  unlabeledAs?: ColorLabel
  language: LabelLanguage
  fullNames?: boolean
  embed?: boolean
  keywords?: boolean
  notes?: boolean
  dryRun?: boolean
  watch?: boolean
  every: number
  json?: boolean
  logProgress?: boolean
}

/** Syncs once, or with `watch` until SIGINT or SIGTERM. Prints the reports. Throws CommandRejected. */
export async function runSync(
  { client, host }: RemoteService,
  { event, folder }: { event: string; folder: string },
  options: SyncCommandOptions,
): Promise<void> {
  const root = await realpath(folder).catch(() => folder)
  const found = await stat(root).catch(() => null)
  if (!found?.isDirectory()) throw new CommandRejected(t('notFolder', { folder }))
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

  for (;;) {
    try {
      const eventId = await findEventId(client, event, stop.signal)
      if (eventId === null) return
      await syncOnce(client, { eventId, host, root }, options, stop.signal)
    } catch (error) {
      if (!(error instanceof ProofroomError)) throw error
      // The service may restart while the command watches.
      if (!options.watch || (error.status > 0 && error.status < 500)) return fail(error.message)
      printError(error.message)
    }
    if (!options.watch || stop.signal.aborted) return
    await wait(options.every, stop.signal)
    if (stop.signal.aborted) return
  }
}

async function syncOnce(
  client: Proofroom,
  { eventId, host, root }: { eventId: number; host: string; root: string },
  options: SyncCommandOptions,
  signal: AbortSignal,
): Promise<void> {
  const bar = createProgressBar(null, options)
  const isDryRun = options.dryRun ?? false
  const isPush = options.push ?? false
  const report = await syncFolder(client, {
    eventId,
    host,
    folder: root,
    markSource: options.marks,
    prefer: options.prefer,
    labels: labelNames[options.language],
    ...(options.selection !== undefined && { selectionId: options.selection }),
    unratedAs: options.unratedAs ?? null,
    unlabeledAs: options.unlabeledAs ?? null,
    hasFullNames: options.fullNames ?? false,
    isEmbedding: options.embed ?? false,
    hasKeywords: options.keywords ?? false,
    hasNotes: options.notes ?? false,
    onlyChanged: options.since === 'last',
    isDryRun,
    isPush,
    onProgress: ({ done, total, path }) => bar.show(done, total, path),
    isStopped: () => signal.aborted,
  }).finally(bar.end)
  if (options.json) printJson(report)
  else print(...formatReport(report, { isDryRun, isPush }))
  process.exitCode = isComplete(report) ? 0 : exitCodes.failed
}

/** Returns null when it is stopped. Throws CommandRejected for an unknown slug. */
async function findEventId(client: Proofroom, event: string, signal: AbortSignal): Promise<number | null> {
  if (/^\d{1,15}$/.test(event)) return Number(event)
  const list = client.events.list({ search: event })
  for await (const { id, slug } of readBounded(list, {
    key: 'events',
    tooMany: 'tooManyEvents',
    isStopped: () => signal.aborted,
  })) {
    if (slug === event && Number.isSafeInteger(id)) return id
  }
  if (signal.aborted) return null
  throw new CommandRejected(t('noReadableEvent', { slug: event }))
}

const wait = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
