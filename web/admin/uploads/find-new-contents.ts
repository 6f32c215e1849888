import { captureTimeBytes, readCaptureTime } from '../../../contract/files/capture-times.ts'
import { findReplaceable } from '../../../contract/files/find-replaceable.ts'
import { retryUntilDone } from '../../shared/uploads/retry.ts'
import { getUploadName } from '../../shared/uploads/upload-file-rules.ts'
import { hashFile } from './hash-file.ts'
import { deleteQueuedFiles } from './stored-queue.ts'
import { findKnownContents, findSimilar } from './upload-adapter.ts'
import type { UploadEntry } from './upload-entries.ts'
import {
  endEntry,
  engine,
  entriesOfSameSize,
  failEntry,
  findContentOwner,
  getInternals,
  markNew,
  nextEntry,
  persistence,
  removeEntry,
  setContentOwner,
  toCompare,
  toHash,
  toLookUp,
} from './upload-queues.ts'
import { getUploads, updateUploads } from './upload-state.ts'

/** Hashes are collected for this time, so that one request can check many of them. */
const lookupDelayMs = 100
const maxBatchSize = 500

let isComparingSizes = false
let isHashing = false
let lookupTimer: ReturnType<typeof setTimeout> | undefined

/** Skips files whose content is already in the event or in the queue. Calls `onReady` when others can be sent. */
export function findNewContents(onReady: () => void): void {
  void compareSizes(onReady)
  void hashContents(onReady)
  scheduleLookup(onReady)
}

/** A file whose size is unique in the event and in the queue is new, so it needs no hash. */
async function compareSizes(onReady: () => void): Promise<void> {
  if (isComparingSizes) return
  isComparingSizes = true
  while (toCompare.length > 0 && !engine.scheduler.isPaused) {
    await forEachEvent(toCompare, async (eventId, entries) => {
      const names = new Map(entries.map((entry) => [entry, getUploadName(getInternals(entry).file)]))
      const files = { sizes: [...new Set(entries.map(({ size }) => size))], names: [...new Set(names.values())] }
      const known = await retryUntilDone(persistence, () => findSimilar(eventId, files, AbortSignal.timeout(60_000)))
      for (const entry of entries) {
        if (entry.state === 'cancelled') continue
        const internals = getInternals(entry)
        const sameName = entry.replaces === null ? known.sameNames[names.get(entry) ?? ''] : undefined
        internals.sameName = sameName ? findReplaceable(sameName, await readTime(internals.file)) : null
        if (hasState(entry, 'cancelled')) continue
        if (known.sizes.has(entry.size) || entriesOfSameSize(entry).size > 1) toHash.push(entry)
        else markNew(entry)
      }
    })
    void hashContents(onReady)
  }
  isComparingSizes = false
  // Called only now, so that names are not compared with photos of the same drop.
  onReady()
}

/** Returns when the photo was taken, in epoch milliseconds; null if the file does not say it or cannot be read. */
const readTime = (file: File): Promise<number | null> =>
  file
    .slice(0, captureTimeBytes)
    .arrayBuffer()
    .then(
      (bytes) => readCaptureTime(new Uint8Array(bytes)),
      () => null,
    )

/** Hashes one file at a time, in parallel with uploads. */
async function hashContents(onReady: () => void): Promise<void> {
  if (isHashing) return
  isHashing = true
  for (let entry = nextEntry(toHash); entry; entry = nextEntry(toHash)) {
    const internals = getInternals(entry)
    entry.state = 'checking'
    updateUploads()
    try {
      await hashSameSize(entry)
      internals.hash = await hashFile(internals.file)
      if (!hasState(entry, 'checking')) continue
      if (internals.hash === null) endEntry(entry, 'rejected', { reason: 'unreadable' })
      else recordContent(entry, internals.hash)
      scheduleLookup(onReady)
    } catch (error) {
      failEntry(entry, error)
    }
  }
  isHashing = false
}

const sentStates: ReadonlyArray<UploadEntry['state']> = ['asked', 'ready', 'sending', 'finishing', 'added']

/** Hashes other files of the size of `entry` that needed no hash before, because their size was unique until now. */
async function hashSameSize(entry: UploadEntry): Promise<void> {
  for (const other of entriesOfSameSize(entry)) {
    const internals = getInternals(other)
    if (other === entry || internals.hash !== null || !sentStates.includes(other.state)) continue
    internals.hash = await hashFile(internals.file)
    if (internals.hash !== null) setContentOwner(other, internals.hash)
  }
}

/** A function, because TypeScript does not expect that `state` changes during an await. */
const hasState = (entry: UploadEntry, state: UploadEntry['state']): boolean => entry.state === state

function recordContent(entry: UploadEntry, hash: string): void {
  const owner = findContentOwner(entry, hash)
  if (owner && owner !== entry && isRepeated(entry, owner)) removeRepeated(entry, owner)
  else {
    setContentOwner(entry, hash)
    entry.state = 'waiting'
    toLookUp.push(entry)
  }
}

/** The photo of an earlier drop may have another file by now, so the service is asked. */
function isRepeated(entry: UploadEntry, owner: UploadEntry): boolean {
  if (owner.state !== 'added' && owner.state !== 'known') return [...sentStates, 'waiting'].includes(owner.state)
  return getInternals(entry).batch.id === getInternals(owner).batch.id
}

function removeRepeated(entry: UploadEntry, { path: sameAs }: UploadEntry): void {
  deleteQueuedFiles([entry])
  removeEntry(entry)
  const { entries, events } = getUploads()
  const counts = events.get(entry.eventId)
  if (!counts) return
  updateUploads({
    entries: entries.filter((one) => one !== entry),
    events: new Map([
      ...events,
      [entry.eventId, { ...counts, repeated: [...counts.repeated, { path: entry.path, sameAs }] }],
    ]),
  })
}

function scheduleLookup(onReady: () => void): void {
  if (toLookUp.length === 0 || lookupTimer !== undefined) return
  lookupTimer = setTimeout(() => {
    lookupTimer = undefined
    void lookUpContents(onReady)
  }, lookupDelayMs)
}

async function lookUpContents(onReady: () => void): Promise<void> {
  const lookups = forEachEvent(toLookUp, async (eventId, entries) => {
    const hashes = entries.flatMap((entry) => getInternals(entry).hash ?? [])
    const { known, earlier } = await retryUntilDone(persistence, () =>
      findKnownContents(eventId, hashes, AbortSignal.timeout(60_000)),
    )
    for (const entry of entries) {
      if (entry.state === 'cancelled') continue
      const internals = getInternals(entry)
      const hash = internals.hash ?? ''
      const photoId = earlier[hash]
      if (photoId !== undefined && entry.replaces === null) internals.sameName = { kind: 'earlier', photoId }
      if (known[hash] === undefined) markNew(entry)
      else endEntry(entry, 'known')
    }
  })
  scheduleLookup(onReady)
  await lookups
  onReady()
}

async function forEachEvent(
  queue: UploadEntry[],
  request: (eventId: number, entries: UploadEntry[]) => Promise<void>,
): Promise<void> {
  const batch = queue.splice(0, maxBatchSize).filter(({ state }) => state !== 'cancelled')
  for (const [eventId, entries] of Map.groupBy(batch, (entry) => entry.eventId)) {
    try {
      await request(eventId, entries)
    } catch (error) {
      for (const entry of entries) failEntry(entry, error)
    }
  }
  updateUploads()
}
