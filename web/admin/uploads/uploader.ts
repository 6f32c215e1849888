import { isSystemFile, keyOf } from '../../shared/uploads/upload-file-rules.ts'
import { filesInKept } from './folder-handles.ts'
import { findInterrupted, forgetFiles, forgetHandles, type KeptFile, keepHandles, keptHandles } from './kept-queue.ts'
import type { Chosen } from './take-dropped.ts'
import { leaveOut, type TakenKinds } from './taken-kinds.ts'
import { entriesFor, folderOf, haveSeveralRoots, isUnderWay, type UploadEntry } from './upload-entries.ts'
import { drop, enqueue, keep, line, setUploader, speedometer, takeIn, takeOut } from './upload-queues.ts'
import { noteUploads, uploads } from './upload-state.ts'
import { work } from './upload-work.ts'
import { watchUploads } from './watch-uploads.ts'

export type Target = {
  eventId: number
  eventName: string
  /** A category id, `folders` for categories with the names of the folders, or null. */
  category: number | 'folders' | null
  taken: TakenKinds | null
}

/** Folder handles list their files in no defined order. */
const asListed = new Intl.Collator(undefined, { numeric: true })

let nextId = 0
let owner: number | null = null

watchUploads()

export function addFiles({ files, handles }: Chosen, { eventId, eventName, category, taken }: Target): void {
  const own = files.filter(({ path }) => !isSystemFile(path)).sort((a, b) => asListed.compare(a.path, b.path))
  const isOneOfSeveral = haveSeveralRoots(own.map(({ path }) => path))
  const kept = new Map(
    uploads()
      .interrupted.get(eventId)
      ?.files.map((file) => [file.key, file]),
  )
  const { fresh, repeated } = entriesFor(
    {
      eventId,
      files: own,
      nextId,
      leaveOut: (file) => leaveOut(file, taken),
      // Resumed files keep their original category.
      categoryOf: ({ key, path }) =>
        kept.get(key)?.category ?? (category === 'folders' ? folderOf(path, isOneOfSeveral) : category),
    },
    uploads().entries,
  )
  nextId += fresh.length
  for (const { entry, file } of fresh) {
    const { hash = null, session = null } = kept.get(entry.key) ?? {}
    takeIn(entry, file, hash, session)
    kept.delete(entry.key)
  }
  keep(fresh.map(({ entry }) => entry).filter(isUnderWay))
  if (fresh.length > 0) keepHandles(eventId, handles)
  const before = uploads().events.get(eventId) ?? { repeated: 0, passedOver: 0 }
  const passedOver = before.passedOver + files.length - own.length
  noteUploads({
    entries: [...uploads().entries, ...fresh.map(({ entry }) => entry)],
    events: new Map([
      ...uploads().events,
      [eventId, { name: eventName, repeated: before.repeated + repeated, passedOver }],
    ]),
  })
  setInterrupted(eventId, [...kept.values()])
  work()
}

export function pauseUploads(): void {
  line.pause()
  noteUploads({ isPaused: true })
}

export function resumeUploads(): void {
  speedometer.restart()
  line.resume()
  noteUploads({ isPaused: false, bytesPerSecond: null })
  work()
}

/** Retries failed files, but not rejected ones. */
export function retryFailed(eventId: number): void {
  for (const entry of ofEvent(eventId)) if (entry.state === 'failed') enqueue(entry)
  noteUploads()
  work()
}

export function cancelEntry(entry: UploadEntry): void {
  takeOut(entry)
  noteUploads()
}

export function cancelAll(eventId: number): void {
  for (const entry of ofEvent(eventId)) takeOut(entry)
  forgetHandles(eventId)
  noteUploads()
}

export function clearReport(eventId: number): void {
  const gone = ofEvent(eventId)
  for (const entry of gone) drop(entry)
  forgetFiles(gone)
  const events = new Map(uploads().events)
  events.delete(eventId)
  noteUploads({ entries: uploads().entries.filter((entry) => entry.eventId !== eventId), events })
}

/** Runs once per event and page, and again when another window with incomplete uploads closes. */
export async function findInterruptedUploads(eventId: number, userId: number): Promise<void> {
  if (uploads().interrupted.has(eventId)) return
  noteUploads({ interrupted: new Map([...uploads().interrupted, [eventId, null]]) })
  const look = async () => {
    const found = await findInterrupted(eventId, userId, look)
    if (found) noteUploads({ interrupted: new Map([...uploads().interrupted, [eventId, found]]) })
  }
  await look()
}

/** Resumes uploads from the stored folder handles. Returns the number of files that were not found. */
export async function continueInterrupted(target: Target): Promise<number> {
  const { eventId } = target
  const { files = [] } = uploads().interrupted.get(eventId) ?? {}
  const wanted = new Set(files.map(({ key }) => key))
  const handles = await keptHandles(eventId)
  const found = (await filesInKept(handles)).filter(({ file }) => wanted.has(keyOf(file)))
  if (found.length > 0) addFiles({ files: found, handles }, target)
  return uploads().interrupted.get(eventId)?.files.length ?? 0
}

export function discardInterrupted(eventId: number): void {
  forgetFiles(uploads().interrupted.get(eventId)?.files ?? [])
  forgetHandles(eventId)
  setInterrupted(eventId, [])
}

/** Discards the uploads of the previous account in this browser tab. */
export function belongTo(userId: number): void {
  if (owner !== null && owner !== userId) {
    for (const eventId of new Set(uploads().entries.map((entry) => entry.eventId))) {
      for (const entry of ofEvent(eventId)) takeOut(entry)
      clearReport(eventId)
    }
    noteUploads({ interrupted: new Map() })
  }
  owner = userId
  setUploader(userId)
}

const ofEvent = (eventId: number): UploadEntry[] => uploads().entries.filter((entry) => entry.eventId === eventId)

function setInterrupted(eventId: number, files: KeptFile[]): void {
  const { interrupted } = uploads()
  const { hasHandles = false } = interrupted.get(eventId) ?? {}
  const left = files.length > 0 ? { files, hasHandles } : null
  noteUploads({ interrupted: new Map([...interrupted, [eventId, left]]) })
}
