import type { AccountChoice } from '../picpeak/move-context.ts'
import { moveInstallation } from '../picpeak/move-installation.ts'
import type { MovedAccess, MoveReport } from '../picpeak/move-report.ts'
import { openPicPeak } from '../picpeak/picpeak-source.ts'
import { SourceUnusable } from '../picpeak/source/source-database.ts'
import { t } from '../platform/text/command-messages.ts'
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
  const bar = createProgressBar('unitPhotos', options)
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
  print(t(isDryRun ? 'movedDryRun' : 'movedHere'))
  for (const { kind, source, moved } of counts) {
    print(`  ${kind.padEnd(20)} ${String(source).padStart(8)} ${String(moved).padStart(8)}`)
  }
  if (access) printAccess(access)
  if (!hasKeptIds) print(t('newIds'))
  if (differences.length > 0) print(t('differences'))
  for (const { table, id, reason } of differences) print(`  ${table} ${id}: ${reason}`)
  if (leftOut.length > 0) print(t('notMoved'))
  for (const { table, rows, reason } of leftOut) print(`  ${table} (${rows}): ${reason}`)
}

function printAccess({ accounts, tokens }: MovedAccess): void {
  if (accounts.length > 0) print(t('accountsToAdd'))
  for (const { username, email, role, isActive } of accounts) {
    const account = `${username} (${email}): ${role}`
    print(`  ${isActive ? account : t('accountDeactivated', { account })}`)
  }
  if (tokens.length > 0) print(t('tokensToWork'))
  for (const { name, username, role, scope } of tokens) {
    print(`  ${t('tokenOf', { name, user: username, role, scope })}`)
  }
  if (accounts.length + tokens.length === 0) return
  print(...t('accessWarning').split('\n'))
}
