import { realpath, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import cliProgress from 'cli-progress'
import { type EventRow, findEventBySlug } from '../events/event-rows.ts'
import { folderSource } from '../imports/folder-source.ts'
import { importFile } from '../imports/import-file.ts'
import { compareByName } from '../imports/import-rules.ts'
import { FileChanged, FileUnreadable, type WaitingFile } from '../imports/import-source.ts'
import { asAppError } from '../platform/as-app-error.ts'
import type { AppContext } from '../settings/app-context.ts'

export type ImportOptions = { event?: string }

type EventFiles = { event: EventRow; files: WaitingFile[] }
type Failure = { path: string; reason: string }
type Report = { imported: number; alreadyPresent: number; failed: Failure[]; stoppedBecause: string | null }

/**
 * Imports a folder into the given event, or each subfolder into the event with that slug. The files are not moved;
 * another run imports only new files.
 */
export async function importFolder(ctx: AppContext, folder: string, { event: slug }: ImportOptions): Promise<void> {
  const path = await findFolder(folder)
  if (path === null) return fail(`${folder} is not a folder.`)
  const report: Report = { imported: 0, alreadyPresent: 0, failed: [], stoppedBecause: null }
  const eventFiles =
    slug === undefined ? await findEventFolders(ctx, path, report) : await findEventFolder(ctx, path, slug, report)
  if (!eventFiles) return fail(`There is no event with the slug ${slug}.`)
  await importAll(ctx, eventFiles, report)
  printResult(report)
}

/** Follows a symbolic link, because the operator named it explicitly. */
async function findFolder(folder: string): Promise<string | null> {
  const eventFiles = await stat(folder).catch(() => null)
  return eventFiles?.isDirectory() ? realpath(folder) : null
}

async function findEventFolder(
  { db }: AppContext,
  path: string,
  slug: string,
  report: Report,
): Promise<EventFiles[] | null> {
  const event = await findEventBySlug(db, slug)
  return event ? [{ event, files: await listWaitingFiles(dirname(path), basename(path), report) }] : null
}

async function findEventFolders({ db }: AppContext, path: string, report: Report): Promise<EventFiles[]> {
  const eventFiles: EventFiles[] = []
  for (const name of (await folderSource(path).listFolders()).sort()) {
    const event = await findEventBySlug(db, name)
    if (event) eventFiles.push({ event, files: await listWaitingFiles(path, name, report) })
    else report.failed.push({ path: name, reason: 'No event has this slug.' })
  }
  const strays = await folderSource(path).listStrays()
  report.failed.push(...strays.sort().map((name) => ({ path: name, reason: 'It stands in no folder of an event.' })))
  return eventFiles
}

async function listWaitingFiles(root: string, folder: string, { failed }: Report): Promise<WaitingFile[]> {
  const files: WaitingFile[] = []
  const onUnreadable = (path: string) => failed.push({ path, reason: unreadableReason })
  for await (const file of folderSource(root).listFiles(folder, onUnreadable)) files.push(file)
  return files.sort(compareByName)
}

async function importAll(ctx: AppContext, eventFiles: EventFiles[], report: Report): Promise<void> {
  const format = '{bar} {value}/{total}  {name}'
  const bar = new cliProgress.SingleBar({ format, hideCursor: true }, cliProgress.Presets.shades_classic)
  bar.start(
    eventFiles.reduce((count, { files }) => count + files.length, 0),
    0,
    { name: '' },
  )
  for (const { event, files } of eventFiles) {
    for (const file of files) {
      bar.update({ name: file.path })
      await importOne(ctx, event, file, report)
      if (report.stoppedBecause !== null) return bar.stop()
      bar.increment()
    }
  }
  bar.stop()
}

const unreadableReason = 'It cannot be read.'

async function importOne(ctx: AppContext, event: EventRow, file: WaitingFile, report: Report): Promise<void> {
  const fail = (reason: string) => report.failed.push({ path: file.path, reason })
  try {
    const { outcome } = await importFile(ctx, { event, file, signal: new AbortController().signal })
    if (outcome === 'imported') report.imported++
    else report.alreadyPresent++
  } catch (error) {
    if (error instanceof FileUnreadable) fail(unreadableReason)
    else if (error instanceof FileChanged) fail('It was changed while it was read.')
    else {
      const appError = asAppError(error)
      if (appError.code === 'INTERNAL_ERROR') throw error
      if (appError.status >= 500) report.stoppedBecause = appError.message
      else fail(appError.message)
    }
  }
}

function printResult({ imported, alreadyPresent, failed, stoppedBecause }: Report): void {
  console.log(`${imported} imported, ${alreadyPresent} there already, ${failed.length} not imported.`)
  for (const { path, reason } of failed) console.log(`  ${path}: ${reason}`)
  if (stoppedBecause !== null) console.error(`The import has stopped: ${stoppedBecause}`)
  if (failed.length > 0 || stoppedBecause !== null) process.exitCode = 1
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}
