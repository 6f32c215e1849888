import { persist } from '../../shared/uploads/persist.ts'
import { knownOf, knownSizes } from './desk-door.ts'
import { hashFile } from './hash-file.ts'
import { forgetFiles } from './kept-queue.ts'
import type { UploadEntry } from './upload-entries.ts'
import {
  drop,
  end,
  giveUp,
  insideOf,
  letGo,
  line,
  next,
  noteWhoHas,
  sameSize,
  toAsk,
  toCheck,
  toCompare,
  way,
  whoHas,
} from './upload-queues.ts'
import { noteUploads, uploads } from './upload-state.ts'

/** Hashes are collected for this time, so that one request checks many. */
const askAfterMs = 100
const maxAsked = 500

let isComparing = false
let isChecking = false
let asking: ReturnType<typeof setTimeout> | undefined

/**
 * Skips files whose content is already in the event or in the queue. Calls `whenNew` when other files are ready to
 * upload.
 */
export function findNewContents(whenNew: () => void): void {
  void compareSizes(whenNew)
  void checkContents(whenNew)
  askSoon(whenNew)
}

/** A file whose size is unique in the event and in the queue is new, so it needs no hash. */
async function compareSizes(whenNew: () => void): Promise<void> {
  if (isComparing) return
  isComparing = true
  while (toCompare.length > 0 && !line.isPaused) {
    await forEachEvent(toCompare, async (eventId, entries) => {
      const sizes = [...new Set(entries.map(({ size }) => size))]
      const there = await persist(way, () => knownSizes(eventId, sizes, AbortSignal.timeout(60_000)))
      for (const entry of entries) {
        if (entry.state === 'cancelled') continue
        if (there.has(entry.size) || sameSize(entry).size > 1) toCheck.push(entry)
        else letGo(entry)
      }
    })
    void checkContents(whenNew)
    whenNew()
  }
  isComparing = false
}

/** Hashes one file at a time, in parallel with uploads. */
async function checkContents(whenNew: () => void): Promise<void> {
  if (isChecking) return
  isChecking = true
  for (let entry = next(toCheck); entry; entry = next(toCheck)) {
    const inside = insideOf(entry)
    entry.state = 'checking'
    noteUploads()
    try {
      await hashTwins(entry)
      inside.hash = await hashFile(inside.file)
      if (!isStill(entry, 'checking')) continue
      if (inside.hash === null) end(entry, 'refused', { reason: 'unreadable' })
      else noteContent(entry, inside.hash)
      askSoon(whenNew)
    } catch (error) {
      giveUp(entry, error)
    }
  }
  isChecking = false
}

const outStates: ReadonlyArray<UploadEntry['state']> = ['ready', 'sending', 'finishing', 'added']

/** Hashes files of the same size that were sent without a hash because their size was unique then. */
async function hashTwins(entry: UploadEntry): Promise<void> {
  for (const other of sameSize(entry)) {
    const inside = insideOf(other)
    if (other === entry || inside.hash !== null || !outStates.includes(other.state)) continue
    inside.hash = await hashFile(inside.file)
    if (inside.hash !== null) noteWhoHas(other, inside.hash)
  }
}

/** A function, because TypeScript narrows `state` and does not see changes during an await. */
const isStill = (entry: UploadEntry, state: UploadEntry['state']): boolean => entry.state === state

function noteContent(entry: UploadEntry, hash: string): void {
  const twin = whoHas(entry, hash)
  if (twin && twin !== entry && [...outStates, 'waiting', 'known'].includes(twin.state)) noteRepeated(entry)
  else {
    noteWhoHas(entry, hash)
    entry.state = 'waiting'
    toAsk.push(entry)
  }
}

function noteRepeated(entry: UploadEntry): void {
  forgetFiles([entry])
  drop(entry)
  const { entries, events } = uploads()
  const counts = events.get(entry.eventId)
  if (!counts) return
  noteUploads({
    entries: entries.filter((one) => one !== entry),
    events: new Map([...events, [entry.eventId, { ...counts, repeated: counts.repeated + 1 }]]),
  })
}

function askSoon(whenNew: () => void): void {
  if (toAsk.length === 0 || asking !== undefined) return
  asking = setTimeout(() => {
    asking = undefined
    void askForContents(whenNew)
  }, askAfterMs)
}

async function askForContents(whenNew: () => void): Promise<void> {
  const asked = forEachEvent(toAsk, async (eventId, entries) => {
    const hashes = entries.flatMap((entry) => insideOf(entry).hash ?? [])
    const known = await persist(way, () => knownOf(eventId, hashes, AbortSignal.timeout(60_000)))
    for (const entry of entries) {
      if (entry.state === 'cancelled') continue
      if (known[insideOf(entry).hash ?? ''] === undefined) letGo(entry)
      else end(entry, 'known')
    }
  })
  askSoon(whenNew)
  await asked
  whenNew()
}

async function forEachEvent(
  queue: UploadEntry[],
  ask: (eventId: number, entries: UploadEntry[]) => Promise<void>,
): Promise<void> {
  const batch = queue.splice(0, maxAsked).filter(({ state }) => state !== 'cancelled')
  for (const [eventId, entries] of Map.groupBy(batch, (entry) => entry.eventId)) {
    try {
      await ask(eventId, entries)
    } catch (error) {
      for (const entry of entries) giveUp(entry, error)
    }
  }
  noteUploads()
}
