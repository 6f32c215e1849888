import { realpath, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { pairSidecars } from '../../contract/pair-sidecars.ts'
import { type EventRow, findEventBySlug } from '../events/event-rows.ts'
import { folderSource } from '../imports/folder-source.ts'
import { importFile } from '../imports/import-file.ts'
import { compareByName } from '../imports/import-rules.ts'
import { FileChanged, FileUnreadable, type WaitingFile } from '../imports/import-source.ts'
import { asAppError } from '../platform/as-app-error.ts'
import type { AppContext } from '../settings/app-context.ts'
import { fail } from './command-errors.ts'
import { createProgressBar } from './progress-bar.ts'

export type ImportOptions = { event?: string; logProgress?: boolean }

type EventFile = { event: EventRow; file: WaitingFile; sidecar: WaitingFile | undefined }
type Failure = { path: string; reason: string }
type Report = { imported: number; alreadyPresent: number; failed: Failure[]; stoppedBecause: string | null }

/**
 * Imports a folder into the given event, or each subfolder into the event whose slug is the name of the subfolder. The
 * files are not moved. Another run skips contents that the event already has.
 */
export async function importFolder(ctx: AppContext, folder: string, options: ImportOptions): Promise<void> {
  const { event: slug } = options
  const found = await stat(folder).catch(() => null)
  if (!found?.isDirectory()) return fail(`${folder} is not a folder.`)
  const event = slug === undefined ? null : await findEventBySlug(ctx.db, slug)
  if (event === undefined) return fail(`There is no event with the slug ${slug}.`)
  // Follows a symbolic link, because the operator named it explicitly.
  const path = await realpath(folder)
  const report: Report = { imported: 0, alreadyPresent: 0, failed: [], stoppedBecause: null }
  const eventFiles = event
    ? await listEventFiles(ctx, event, dirname(path), basename(path), report)
    : await findEventFolders(ctx, path, report)
  await importAll(ctx, eventFiles, report, options)
  printResult(report)
}

async function findEventFolders(ctx: AppContext, path: string, report: Report): Promise<EventFile[]> {
  const eventFiles: EventFile[] = []
  for (const name of (await folderSource(path).listFolders()).sort()) {
    const event = await findEventBySlug(ctx.db, name)
    if (event) for (const file of await listEventFiles(ctx, event, path, name, report)) eventFiles.push(file)
    else report.failed.push({ path: name, reason: 'There is no event with this slug.' })
  }
  for (const name of (await folderSource(path).listStrays()).sort()) {
    report.failed.push({ path: name, reason: 'The file is not in the folder of an event.' })
  }
  return eventFiles
}

async function listEventFiles(
  ctx: AppContext,
  event: EventRow,
  root: string,
  folder: string,
  { failed }: Report,
): Promise<EventFile[]> {
  const files: WaitingFile[] = []
  const onUnreadable = (path: string) => failed.push({ path, reason: unreadableReason })
  for await (const file of folderSource(root).listFiles(folder, onUnreadable)) files.push(file)
  const { general_read_culling_marks: readsMarks } = await ctx.settings.values()
  const sidecars = readsMarks ? pairSidecars(files) : new Map<WaitingFile, WaitingFile>()
  const paired = new Set(sidecars.values())
  return files
    .filter((file) => !paired.has(file))
    .sort(compareByName)
    .map((file) => ({ event, file, sidecar: sidecars.get(file) }))
}

async function importAll(
  ctx: AppContext,
  eventFiles: EventFile[],
  report: Report,
  options: ImportOptions,
): Promise<void> {
  const bar = createProgressBar('', options)
  bar.show(0, eventFiles.length, '')
  for (const [index, eventFile] of eventFiles.entries()) {
    const { file } = eventFile
    bar.show(index, eventFiles.length, file.path)
    await importOne(ctx, eventFile, report)
    if (report.stoppedBecause !== null) break
    bar.show(index + 1, eventFiles.length, file.path)
  }
  bar.end()
}

const unreadableReason = 'The file cannot be read.'

async function importOne(ctx: AppContext, { event, file, sidecar }: EventFile, report: Report): Promise<void> {
  const addFailure = (reason: string) => report.failed.push({ path: file.path, reason })
  try {
    const { outcome } = await importFile(ctx, { event, file, sidecar, signal: new AbortController().signal })
    if (outcome === 'imported') report.imported++
    else report.alreadyPresent++
  } catch (error) {
    if (error instanceof FileUnreadable) addFailure(unreadableReason)
    else if (error instanceof FileChanged) addFailure('The file changed during the import.')
    else {
      const appError = asAppError(error)
      if (appError.code === 'INTERNAL_ERROR') throw error
      if (appError.status >= 500) report.stoppedBecause = appError.message
      else addFailure(appError.message)
    }
  }
}

function printResult({ imported, alreadyPresent, failed, stoppedBecause }: Report): void {
  console.log(`${imported} imported, ${alreadyPresent} already present, ${failed.length} not imported.`)
  for (const { path, reason } of failed) console.log(`  ${path}: ${reason}`)
  if (stoppedBecause !== null) console.error(`The import stopped: ${stoppedBecause}`)
  if (failed.length > 0 || stoppedBecause !== null) process.exitCode = 1
}
