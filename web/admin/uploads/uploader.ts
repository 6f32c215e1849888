import { isSidecar, pairSidecars } from '../../../contract/files/pair-sidecars.ts'
import { compareNameLengths, comparePaths } from '../../../contract/files/path-order.ts'
import type { FoundFile } from '../../shared/uploads/dropped-files.ts'
import { createBatch } from '../../shared/uploads/upload-batches.ts'
import { isActive } from '../../shared/uploads/upload-entries.ts'
import { getFileKey, isSystemFile } from '../../shared/uploads/upload-file-rules.ts'
import type { AcceptedTypes, LeftOutReason } from './accepted-types.ts'
import type { ChosenFiles } from './chosen-files.ts'
import { readStoredHandleFiles } from './folder-handles.ts'
import {
  deleteHandles,
  deleteQueuedFiles,
  findInterrupted,
  loadHandles,
  type QueuedFile,
  storeHandles,
} from './stored-queue.ts'
import { deleteStoredReport } from './stored-report.ts'
import { createEntries, findLeaving, getCategoryDepth, getCategoryFolder, type UploadEntry } from './upload-entries.ts'
import { findLeftOut } from './upload-labels.ts'
import {
  addEntry,
  cancelUpload,
  engine,
  enqueue,
  getUploader,
  removeEntry,
  setUploader,
  storeEntries,
} from './upload-queues.ts'
import { getUploads, updateUploads } from './upload-state.ts'
import { startWork } from './upload-work.ts'
import { storeEventReport, watchUploads } from './watch-uploads.ts'

export type UploadTarget = {
  eventId: number
  eventName: string
  /** A category id, `folders` for categories with the names of the folders, or null. */
  category: number | 'folders' | null
  keepsVersions: boolean
  acceptedTypes: AcceptedTypes | null
}

let nextId = 0
let owner: number | null = null

watchUploads()

export function addFiles(
  { files, handles }: ChosenFiles,
  { eventId, eventName, category, keepsVersions, acceptedTypes }: UploadTarget,
): void {
  // Folder handles list files in no defined order.
  const known = files.filter(({ path }) => !isSystemFile(path)).sort((a, b) => comparePaths(a.path, b.path))
  const sidecars = acceptedTypes?.readsSidecars ? pairSidecars(known) : new Map<FoundFile, FoundFile>()
  const paired = new Set(sidecars.values())
  const own = known.filter((found) => !paired.has(found))
  const sidecarOf = new Map([...sidecars].map(([found, sidecar]) => [found.file, sidecar.file]))
  const categoryDepth = getCategoryDepth(own.map(({ path }) => path))
  const interruptedByKey = new Map(
    getUploads()
      .interrupted.get(eventId)
      ?.files.map((file) => [file.key, file]),
  )
  removeEnded(eventId, own)
  const { created, repeated } = createEntries(
    {
      eventId,
      keepsVersions,
      files: own,
      nextId,
      findLeftOut: (file) => findLeftOut(file, acceptedTypes),
      // Resumed files keep their original category.
      categoryOf: ({ key, path }) => {
        const interrupted = interruptedByKey.get(key)
        if (interrupted) return interrupted.category
        return category === 'folders' ? getCategoryFolder(path, categoryDepth) : category
      },
    },
    getUploads().entries,
  )
  nextId += created.length
  const placeInBatch = createBatch()
  const inQueue = [...created.entries()].sort(([, a], [, b]) => compareNameLengths(a.entry, b.entry))
  for (const [index, { entry, file }] of inQueue) {
    // Resumed files keep their place among the photos that they were chosen with.
    const interrupted = interruptedByKey.get(entry.key)
    const { hash = null, session = null, batch = placeInBatch(index), replaces = null } = interrupted ?? {}
    entry.replaces = replaces
    addEntry(entry, { file, sidecar: sidecarOf.get(file) ?? null, hash, session, batch })
    interruptedByKey.delete(entry.key)
  }
  storeEntries(created.map(({ entry }) => entry).filter(isActive))
  if (created.length > 0) storeHandles(eventId, handles)
  const before = getUploads().events.get(eventId) ?? { repeated: [], ignoredSystemFiles: 0 }
  const ignoredSystemFiles = before.ignoredSystemFiles + files.length - known.length
  updateUploads({
    entries: [...getUploads().entries, ...created.map(({ entry }) => entry)],
    events: new Map([
      ...getUploads().events,
      [eventId, { name: eventName, repeated: [...before.repeated, ...repeated], ignoredSystemFiles }],
    ]),
  })
  setInterrupted(eventId, [...interruptedByKey.values()])
  if (!entriesOfEvent(eventId).some(isActive)) storeEventReport(eventId)
  startWork()
}

/** Removes what the report does not show any more when `files` are added. */
function removeEnded(eventId: number, files: readonly FoundFile[]): void {
  if (files.length === 0) return
  const keys = new Set(files.map(({ file }) => getFileKey(file)))
  const paths = new Set(files.map(({ path }) => path))
  const { leaving, isNewReport } = findLeaving(entriesOfEvent(eventId), { keys, paths })
  if (leaving.length === 0 && !isNewReport) return
  for (const entry of leaving) removeEntry(entry)
  deleteQueuedFiles(leaving)
  const { entries } = getUploads()
  const gone = new Set(leaving)
  const events = new Map(getUploads().events)
  const before = events.get(eventId)
  if (isNewReport) events.delete(eventId)
  else if (before) {
    events.set(eventId, { ...before, repeated: before.repeated.filter(({ path }) => !paths.has(path)) })
  }
  updateUploads({ entries: entries.filter((entry) => !gone.has(entry)), events })
}

export function pauseUploads(): void {
  engine.scheduler.pause()
  updateUploads({ isPaused: true })
}

export function resumeUploads(): void {
  engine.resume()
  updateUploads({ isPaused: false, bytesPerSecond: null })
  startWork()
}

/** Retries failed files. Rejected files would be rejected again. */
export function retryFailed(eventId: number): void {
  for (const entry of entriesOfEvent(eventId)) if (entry.state === 'failed') enqueue(entry)
  updateUploads()
  startWork()
}

/** Sends files that the settings did not allow before. Returns their number. */
export function sendLeftOut(eventId: number, reason: LeftOutReason): number {
  const leftOut = entriesOfEvent(eventId).filter((entry) => entry.state === 'leftOut' && entry.reason === reason)
  for (const entry of leftOut) enqueue(entry)
  storeEntries(leftOut)
  updateUploads()
  startWork()
  return leftOut.length
}

export function cancelEntry(entry: UploadEntry): void {
  cancelUpload(entry)
  updateUploads()
}

export function cancelAll(eventId: number): void {
  for (const entry of entriesOfEvent(eventId)) cancelUpload(entry)
  deleteHandles(eventId)
  updateUploads()
}

export function clearReport(eventId: number): void {
  const gone = entriesOfEvent(eventId)
  for (const entry of gone) removeEntry(entry)
  deleteQueuedFiles(gone)
  deleteStoredReport(eventId, getUploader())
  const events = new Map(getUploads().events)
  events.delete(eventId)
  updateUploads({ entries: getUploads().entries.filter((entry) => entry.eventId !== eventId), events })
}

/** Searches for interrupted uploads once per event, and again when another window with incomplete uploads closes. */
export async function findInterruptedUploads(eventId: number, userId: number): Promise<void> {
  if (getUploads().interrupted.has(eventId)) return
  updateUploads({ interrupted: new Map([...getUploads().interrupted, [eventId, null]]) })
  const find = async () => {
    const found = await findInterrupted(eventId, userId, find)
    if (found) updateUploads({ interrupted: new Map([...getUploads().interrupted, [eventId, found]]) })
  }
  await find()
}

/** Resumes uploads from the stored folder handles. Returns the number of interrupted files that were not found. */
export async function continueInterrupted(target: UploadTarget): Promise<number> {
  const { eventId } = target
  const { files = [] } = getUploads().interrupted.get(eventId) ?? {}
  const interruptedKeys = new Set(files.map(({ key }) => key))
  const handles = await loadHandles(eventId)
  const readsSidecars = target.acceptedTypes?.readsSidecars
  const found = (await readStoredHandleFiles(handles)).filter(
    (one) => interruptedKeys.has(getFileKey(one.file)) || (readsSidecars && isSidecar(one)),
  )
  if (found.length > 0) addFiles({ files: found, handles }, target)
  return getUploads().interrupted.get(eventId)?.files.length ?? 0
}

export function discardInterrupted(eventId: number): void {
  deleteQueuedFiles(getUploads().interrupted.get(eventId)?.files ?? [])
  deleteHandles(eventId)
  setInterrupted(eventId, [])
}

/** Discards the uploads of the previous account in this browser tab. */
export function setOwner(userId: number): void {
  if (owner !== null && owner !== userId) {
    for (const eventId of new Set(getUploads().entries.map((entry) => entry.eventId))) {
      for (const entry of entriesOfEvent(eventId)) cancelUpload(entry)
      clearReport(eventId)
    }
    updateUploads({ interrupted: new Map() })
  }
  owner = userId
  setUploader(userId)
}

const entriesOfEvent = (eventId: number): UploadEntry[] =>
  getUploads().entries.filter((entry) => entry.eventId === eventId)

function setInterrupted(eventId: number, files: QueuedFile[]): void {
  const { interrupted } = getUploads()
  const { hasHandles = false } = interrupted.get(eventId) ?? {}
  const left = files.length > 0 ? { files, hasHandles } : null
  updateUploads({ interrupted: new Map([...interrupted, [eventId, left]]) })
}
