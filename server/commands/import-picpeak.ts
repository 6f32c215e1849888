import type { AccountChoice } from '../picpeak/move-context.ts'
import { moveInstallation } from '../picpeak/move-installation.ts'
import type { MovedAccess, MoveReport } from '../picpeak/move-report.ts'
import { openPicPeak } from '../picpeak/picpeak-source.ts'
import { SourceUnusable } from '../picpeak/source/source-database.ts'
import type { AppContext } from '../settings/app-context.ts'
import { CommandRejected, exitCodes, fail } from './command-errors.ts'
import { print, printJson } from './print.ts'
import { createProgressBar } from './progress-bar.ts'

export type ImportPicPeakOptions = {
  storage?: string
  externalMedia?: string
  dryRun?: boolean
  link?: boolean
  accounts: AccountChoice
  json?: boolean
  logProgress?: boolean
}

/** Moves a PicPeak installation in and prints the comparison. Throws CommandRejected if the source cannot be used. */
export async function importPicPeak(ctx: AppContext, location: string, options: ImportPicPeakOptions): Promise<void> {
  const means = { store: ctx.config.picpeakStore, staging: ctx.storage }
  const { storage, externalMedia } = options
  const source = await openPicPeak({ source: location, storage, externalMedia }, means).catch((error) => {
    if (error instanceof SourceUnusable) throw new CommandRejected(error.message)
    throw error
  })
  const bar = createProgressBar('photos', options)
  try {
    const report = await moveInstallation(ctx, source, {
      isDryRun: options.dryRun ?? false,
      links: options.link ?? false,
      accounts: options.accounts,
      onProgress: ({ photos, totalPhotos, event }) => bar.show(photos, totalPhotos, event),
    })
    bar.end()
    if (options.json) printJson(report, 2)
    else printReport(report)
    const missing = report.counts.some(({ source: there, moved }) => moved < there)
    if (missing || source.problems.length > 0) process.exitCode = exitCodes.failed
  } catch (error) {
    if (!(error instanceof SourceUnusable)) throw error
    bar.end()
    fail(error.message)
  } finally {
    bar.end()
    await source.close()
  }
}

function printReport({ isDryRun, access, hasKeptIds, counts, differences, leftOut }: MoveReport): void {
  print(isDryRun ? 'Nothing was changed. In PicPeak, and what the import would move:' : 'In PicPeak, and here:')
  for (const { kind, source, moved } of counts) {
    print(`  ${kind.padEnd(20)} ${String(source).padStart(8)} ${String(moved).padStart(8)}`)
  }
  if (access) printAccess(access)
  if (!hasKeptIds) print('Events, photos and categories have new ids, because there were events here.')
  if (differences.length > 0) print('Differences:')
  for (const { table, id, reason } of differences) print(`  ${table} ${id}: ${reason}`)
  if (leftOut.length > 0) print('Not moved:')
  for (const { table, rows, reason } of leftOut) print(`  ${table} (${rows}): ${reason}`)
}

function printAccess({ accounts, tokens }: MovedAccess): void {
  if (accounts.length > 0) print('Accounts that the import would add:')
  for (const { username, email, role, isActive } of accounts) {
    print(`  ${username} (${email}): ${role}${isActive ? '' : ', deactivated'}`)
  }
  if (tokens.length > 0) print('API tokens that would work here:')
  for (const { name, username, role, scope } of tokens) {
    print(`  ${name} of ${username} (${role}): ${scope}`)
  }
  if (accounts.length + tokens.length === 0) return
  print('Anyone who has their passwords and tokens can do the same here. If this PicPeak is not your own, import it')
  print('with --accounts editors or --accounts none.')
}
