import { realpath, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { pairSidecars } from '../../contract/files/pair-sidecars.ts'
import { comparePaths } from '../../contract/files/path-order.ts'
import { openZip } from '../archives/read-zip.ts'
import { type EventRow, findEventBySlug } from '../events/event-rows.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { asAppError } from '../platform/errors/as-app-error.ts'
import { ContentDigest } from '../platform/storage/content-digest.ts'
import { t } from '../platform/text/command-messages.ts'
import { maxXmpBytes } from '../platform/xmp/xmp-encoding.ts'
import { folderSource } from '../receiving/imports/folder-source.ts'
import { importFile } from '../receiving/imports/import-file.ts'
import { toDisplayPath } from '../receiving/imports/import-rules.ts'
import { FileChanged, FileUnreadable, type ImportSource, type WaitingFile } from '../receiving/imports/import-source.ts'
import { isUnchangedFile, type LeftOutCause } from '../receiving/imports/list-waiting-files.ts'
import { zipSource } from '../receiving/imports/zip-source.ts'
import { listComparable } from '../receiving/match-photo-names.ts'
import type { AppContext } from '../settings/app-context.ts'
import { fail } from './command-errors.ts'
import {
  assertCanVersion,
  compareFiles,
  findRepeated,
  printSameNames,
  readTimeOf,
  type SameNameCounts,
  type SameNameOptions,
} from './decide-same-names.ts'
import { createFolderEvents } from './folder-events.ts'
import { print, printError } from './print.ts'
import { createProgressBar } from './progress-bar.ts'

export type ImportOptions = SameNameOptions & {
  event?: string
  /** What the folders become. Without it and without `event`, their names are slugs of events. */
  folders?: 'events' | 'categories'
  /** The type of events that are created. */
  type: string
  logProgress?: boolean
}

type EventFile = {
  event: EventRow
  file: WaitingFile
  sidecar: WaitingFile | undefined
  replaces?: number
  addsEarlier?: boolean
}
type Failure = { path: string; reason: string }
type Report = SameNameCounts & {
  imported: number
  alreadyPresent: number
  failed: Failure[]
  stoppedBecause: string | null
}

/**
 * Imports a folder or a ZIP: into the given event, into events that it creates from the folders, or each subfolder into the
 * event whose slug is the name of the subfolder. The files are not moved. Another run skips contents that the event
 * already has.
 */
export async function importFolder(ctx: AppContext, place: string, options: ImportOptions): Promise<void> {
  const { event: slug, folders } = options
  // Follows a symbolic link, because the operator named it explicitly.
  const path = await realpath(place).catch(() => null)
  const opened = path === null ? null : await openPlace(path, slug !== undefined || folders === 'categories')
  if (path === null || opened === null) return fail(t('notFolderOrZip', { place }))
  const { source, unsafeNames } = opened
  try {
    const event = slug === undefined ? undefined : await findEventBySlug(ctx.db, slug)
    if (slug !== undefined && !event) return fail(t('noEventWithSlug', { slug }))
    const report: Report = {
      imported: 0,
      replaced: 0,
      versions: 0,
      skipped: 0,
      earlier: 0,
      otherTime: 0,
      several: 0,
      alreadyPresent: 0,
      failed: [],
      stoppedBecause: null,
    }
    for (const name of unsafeNames) addFailure(report, toDisplayPath([name]), t('nameLeavesZip'))
    const created = createFolderEvents(ctx, path, options.type)
    const findTarget = async (folder: string) => {
      if (event) return event
      return folders ? created.get(folder) : findEventBySlug(ctx.db, folder)
    }
    const targets = { findTarget, creates: folders !== undefined, only: opened.folder }
    const eventFiles = await listAll(ctx, source, targets, report)
    for (const { event_name: name, slug } of created.created) print(t('draftCreated', { name, slug }))
    for (const { event } of eventFiles) if (!created.created.includes(event)) assertCanVersion(event, options)
    await importAll(ctx, await leaveOutKnown(ctx, eventFiles, report, options), report, options)
    printResult(report)
  } finally {
    source.close()
  }
}

type Place = {
  source: ImportSource
  unsafeNames: readonly string[]
  /** The folder of the source that has everything; null if the folders belong to different events. */
  folder: string | null
}

async function openPlace(path: string, isOneEvent: boolean): Promise<Place | null> {
  const found = await stat(path)
  if (found.isDirectory()) {
    const root = isOneEvent ? dirname(path) : path
    return { source: folderSource(root), unsafeNames: [], folder: isOneEvent ? basename(path) : null }
  }
  if (!found.isFile()) return null
  const zip = await openZip(path).catch(() => null)
  if (zip === null) return null
  const wrapper = isOneEvent ? basename(path).replace(/\.zip$/i, '') : null
  const isUnchanged = () => isUnchangedFile(Buffer.from(path), found)
  return { source: zipSource(zip, { wrapper, isUnchanged }), unsafeNames: zip.unsafeNames, folder: wrapper }
}

type Targets = {
  findTarget: (folder: string) => Promise<EventRow | undefined>
  /** Whether folders without an event get one. */
  creates: boolean
  /** The folder to import; null for all. */
  only: string | null
}

async function listAll(
  ctx: AppContext,
  source: ImportSource,
  { findTarget, creates, only }: Targets,
  report: Report,
): Promise<EventFile[]> {
  const eventFiles: EventFile[] = []
  for (const name of only === null ? (await source.listFolders()).sort() : [only]) {
    const files = await listFiles(ctx, source, name, report)
    if (creates && files.length === 0) continue
    try {
      const event = await findTarget(name)
      if (event) for (const file of files) eventFiles.push({ event, ...file })
      else addFailure(report, name, t(creates ? 'eventOfFolderDeleted' : 'folderWithoutEvent'))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      addFailure(report, name, error.message)
    }
  }
  for (const name of only === null ? (await source.listStrays()).sort() : []) {
    addFailure(report, name, t('fileOutsideEvent'))
  }
  return eventFiles
}

const addFailure = ({ failed }: Report, path: string, reason: string): void => void failed.push({ path, reason })

async function listFiles(
  ctx: AppContext,
  source: ImportSource,
  folder: string,
  report: Report,
): Promise<Array<Omit<EventFile, 'event'>>> {
  const files: WaitingFile[] = []
  const onLeftOut = (path: string, cause: LeftOutCause) =>
    addFailure(report, path, t(cause === 'too deep' ? 'folderTooDeep' : 'fileUnreadable'))
  for await (const file of source.listFiles(folder, onLeftOut)) files.push(file)
  const { general_read_culling_marks: readsMarks } = await ctx.settings.values()
  const sidecars = readsMarks ? pairSidecars(files) : new Map<WaitingFile, WaitingFile>()
  const paired = new Set(sidecars.values())
  for (const { path, sizeBytes } of paired) if (sizeBytes > maxXmpBytes) addFailure(report, path, t('sidecarTooLarge'))
  return files
    .filter((file) => !paired.has(file))
    .sort((a, b) => comparePaths(a.path, b.path))
    .map((file) => ({ file, sidecar: sidecars.get(file) }))
}

/**
 * Returns the files to import, without those whose content is known and those that `compareFiles` leaves out. Repeated files come
 * last, so that `importFile` finds their content in the event.
 */
async function leaveOutKnown(
  ctx: AppContext,
  eventFiles: EventFile[],
  report: Report,
  options: ImportOptions,
): Promise<EventFile[]> {
  const left = new Set(eventFiles)
  for (const [id, ofEvent] of Map.groupBy(eventFiles, ({ event }) => event.id)) {
    const files = ofEvent.map((eventFile) => {
      const { name, path, sizeBytes } = eventFile.file
      const capturedAt = async () => readTimeOf(await eventFile.file.open(new AbortController().signal))
      return { eventFile, name, path, sizeBytes, hash: () => hashFile(eventFile.file), capturedAt }
    })
    for (const { eventFile } of await findRepeated(files)) {
      left.delete(eventFile)
      left.add(eventFile)
    }
    const keepsVersions = ofEvent[0]?.event.keep_versions === 1
    const decided = await compareFiles(files, await listComparable(ctx, id), { ...options, keepsVersions })
    for (const [{ eventFile, path }, decision] of decided) {
      eventFile.addsEarlier = decision === 'add'
      if (decision === 'otherTime' || decision === 'several') report[decision]++
      if (decision === 'add' || decision === 'otherTime' || decision === 'several') continue
      if (typeof decision === 'object') {
        eventFile.replaces = decision.replaces
        continue
      }
      left.delete(eventFile)
      if (decision === 'present') report.alreadyPresent++
      if (decision === 'skip') report.skipped++
      if (decision === 'earlier') report.earlier++
      if (decision === 'undecided') addFailure(report, path, t('sameNameUndecided'))
    }
  }
  return [...left]
}

async function hashFile(file: WaitingFile): Promise<string> {
  const digest = new ContentDigest()
  for await (const chunk of await file.open(new AbortController().signal)) digest.update(chunk)
  return digest.finish().contentHash
}

async function importAll(
  ctx: AppContext,
  eventFiles: EventFile[],
  report: Report,
  options: ImportOptions,
): Promise<void> {
  const bar = createProgressBar(null, options)
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

async function importOne(
  ctx: AppContext,
  { event, file, sidecar, replaces, addsEarlier }: EventFile,
  report: Report,
): Promise<void> {
  const add = (reason: string) => addFailure(report, file.path, reason)
  try {
    const { signal } = new AbortController()
    const { outcome } = await importFile(ctx, { event, file, sidecar, replaces, addsEarlier, signal })
    if (outcome === 'already_present') report.alreadyPresent++
    else if (replaces === undefined) report.imported++
    else report[event.keep_versions === 1 ? 'versions' : 'replaced']++
  } catch (error) {
    if (error instanceof FileUnreadable) add(t('fileUnreadable'))
    else if (error instanceof FileChanged) add(t('fileChanged'))
    else {
      const appError = asAppError(error)
      if (appError.code === 'INTERNAL_ERROR') throw error
      if (appError.status >= 500) report.stoppedBecause = appError.message
      else add(appError.message)
    }
  }
}

function printResult({ imported, alreadyPresent, failed, stoppedBecause, ...counts }: Report): void {
  print(t('imported', { imported, present: alreadyPresent, failed: failed.length }))
  printSameNames(counts)
  for (const { path, reason } of failed) print(`  ${path}: ${reason}`)
  if (stoppedBecause !== null) printError(t('importStopped', { problem: stoppedBecause }))
  if (failed.length > 0 || stoppedBecause !== null) process.exitCode = 1
}
