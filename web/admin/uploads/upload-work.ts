import { GivenUp, type Persistence, persist } from '../../shared/uploads/persist.ts'
import { sendFile, type UploadSession } from '../../shared/uploads/send-file.ts'
import { UploadLine } from '../../shared/uploads/upload-line.ts'
import { Speedometer } from '../../shared/uploads/upload-speed.ts'
import { wordsOf } from '../parts/refusal-words.ts'
import { AlreadyHere, deskDoor, knownOf, knownSizes, problemIn } from './desk-door.ts'
import { hashFile } from './hash-file.ts'
import { forgetFiles, keepFiles } from './kept-queue.ts'
import { showWhatCame } from './show-what-came.ts'
import { isUnderWay, type UploadEntry } from './upload-entries.ts'
import { noteUploads, uploads } from './upload-state.ts'

/** Requests at once: browsers take six of one address, and the pages want theirs. */
const requestsAtOnce = 4
/** More than requests: while the service makes a photo of one, the next is on its way. */
const filesAtOnce = 6
/** So long contents are collected before they are asked for; 1000 at most in one question. */
const askAfterMs = 100
const mostAsked = 500

/** What nobody else needs to know of an entry. */
type Inside = { file: File; hash: string | null; session: UploadSession | null; cancelling: AbortController }

export const line = new UploadLine(requestsAtOnce)
export const speedometer = new Speedometer()
const way: Persistence = { line, problemIn, onTrouble: noteTrouble, cancelled: new AbortController().signal }

const insides = new Map<number, Inside>()
/** The entry that stands for a content, by event and hash. */
const byContent = new Map<string, UploadEntry>()
/** All entries of a size, by event: of those of a size of their own nobody else in the queue has the content. */
const bySize = new Map<string, UploadEntry[]>()
const toCompare: UploadEntry[] = []
const toCheck: UploadEntry[] = []
const toAsk: UploadEntry[] = []
const toSend: UploadEntry[] = []
let userId = 0
let ends = 0
let movedBytes = 0
let senders = 0
let isChecking = false
let asking: ReturnType<typeof setTimeout> | undefined
let isComparing = false

export function setUploader(id: number): void {
  userId = id
}

/** `hash` and `session`: of before an interruption. */
export function takeIn(entry: UploadEntry, file: File, hash: string | null, session: UploadSession | null): void {
  insides.set(entry.id, { file, hash, session, cancelling: new AbortController() })
  if (entry.state === 'waiting') bySize.set(sizeKey(entry), [...sameSize(entry), entry])
  if (entry.state === 'waiting') enqueue(entry)
  else entry.endedAs = ++ends
}

/** To where it goes on: what was begun is sent, what is known by its content is asked for, all else is compared first. */
export function enqueue(entry: UploadEntry): void {
  const inside = insideOf(entry)
  inside.cancelling = new AbortController()
  Object.assign(entry, { state: 'waiting', reason: null, why: null, sentBytes: 0, endedAs: 0 })
  if (inside.session) {
    entry.state = 'ready'
    toSend.push(entry)
  } else if (inside.hash) toAsk.push(entry)
  else toCompare.push(entry)
}

/** Goes on with whatever waits. */
export function work(): void {
  void compareSizes()
  void checkContents()
  askSoon()
  while (senders < filesAtOnce && toSend.length > 0) {
    senders++
    void sendNext().finally(() => {
      senders--
    })
  }
}

export function keep(entries: readonly UploadEntry[]): void {
  keepFiles(
    entries.map((entry) => {
      const { hash, session } = insideOf(entry)
      const { eventId, key, size, category } = entry
      return { eventId, userId, key, size, category, hash, session }
    }),
  )
}

/** Takes an entry out that is not there yet; what has gone out in full may still become a photo. */
export function takeOut(entry: UploadEntry): void {
  if (!isUnderWay(entry) || entry.state === 'finishing') return
  end(entry, 'cancelled')
  insideOf(entry).cancelling.abort()
}

/** Once an entry is of no interest any more. */
export function drop(entry: UploadEntry): void {
  const hash = insides.get(entry.id)?.hash
  if (hash) byContent.delete(contentKey(entry, hash))
  bySize.delete(sizeKey(entry))
  insides.delete(entry.id)
}

const sizeKey = ({ eventId, size }: UploadEntry): string => `${eventId} ${size}`
const sameSize = (entry: UploadEntry): UploadEntry[] => bySize.get(sizeKey(entry)) ?? []
const contentKey = ({ eventId }: UploadEntry, hash: string): string => `${eventId} ${hash}`

function insideOf(entry: UploadEntry): Inside {
  const inside = insides.get(entry.id)
  if (!inside) throw new Error('An entry without its file')
  return inside
}

function end(
  entry: UploadEntry,
  state: UploadEntry['state'],
  { reason = null, why = null }: Partial<Pick<UploadEntry, 'reason' | 'why'>> = {},
): void {
  Object.assign(entry, { state, reason, why, endedAs: ++ends, sentBytes: state === 'added' ? entry.size : 0 })
  // What has failed may be tried again, also by a later page.
  if (state !== 'failed') forgetFiles([entry])
  noteUploads()
}

function giveUp(entry: UploadEntry, error: unknown): void {
  if (entry.state === 'cancelled') return
  if (error instanceof GivenUp) endBy(entry, error)
  else if (error instanceof AlreadyHere) end(entry, 'known')
  else {
    // A mistake of ours: the other files are to go on.
    reportError(error)
    end(entry, 'failed', { reason: 'other' })
  }
}

function endBy(entry: UploadEntry, { verdict, cause }: GivenUp): void {
  end(entry, verdict.kind, { reason: verdict.reason, why: verdict.reason === 'other' ? wordsOf(cause) : null })
  if (verdict.kind !== 'failed' || !verdict.endsAll) return
  for (const queued of [toCompare, toCheck, toAsk, toSend]) {
    for (const other of queued.splice(0)) {
      if (other.eventId !== entry.eventId) queued.push(other)
      else if (other.state !== 'cancelled') end(other, 'failed', { reason: verdict.reason })
    }
  }
}

/** Files need not be read to know that they are new when neither the event nor the queue has another of their size. */
async function compareSizes(): Promise<void> {
  if (isComparing) return
  isComparing = true
  while (toCompare.length > 0 && !line.isPaused) {
    const batch = toCompare.splice(0, mostAsked).filter(({ state }) => state !== 'cancelled')
    for (const [eventId, entries] of Map.groupBy(batch, (entry) => entry.eventId)) {
      try {
        const sizes = [...new Set(entries.map(({ size }) => size))]
        const there = await persist(way, () => knownSizes(eventId, sizes, AbortSignal.timeout(60_000)))
        for (const entry of entries) {
          if (entry.state === 'cancelled') continue
          if (there.has(entry.size) || sameSize(entry).length > 1) toCheck.push(entry)
          else {
            entry.state = 'ready'
            toSend.push(entry)
          }
        }
      } catch (error) {
        for (const entry of entries) giveUp(entry, error)
      }
    }
    noteUploads()
    work()
  }
  isComparing = false
}

/** One after another, beside what is sent. */
async function checkContents(): Promise<void> {
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
    } catch (error) {
      giveUp(entry, error)
    }
  }
  isChecking = false
}

/** Those of its size that went out without being read, when they were the only ones. */
async function hashTwins(entry: UploadEntry): Promise<void> {
  for (const other of sameSize(entry)) {
    const inside = insides.get(other.id)
    const isOut = ['ready', 'sending', 'finishing', 'added'].includes(other.state)
    if (other === entry || !inside || inside.hash !== null || !isOut) continue
    inside.hash = await hashFile(inside.file)
    if (inside.hash !== null) byContent.set(contentKey(other, inside.hash), other)
  }
}

/** TypeScript does not expect that somebody else has changed it meanwhile. */
const isStill = (entry: UploadEntry, state: UploadEntry['state']): boolean => entry.state === state

/** The first that is still wanted; nothing while it is paused, so that nothing is taken off. */
function next(queue: UploadEntry[]): UploadEntry | undefined {
  if (line.isPaused) return undefined
  for (;;) {
    const entry = queue.shift()
    if (entry?.state !== 'cancelled') return entry
  }
}

function noteContent(entry: UploadEntry, hash: string): void {
  const key = contentKey(entry, hash)
  const twin = byContent.get(key)
  if (twin && twin !== entry && ['ready', 'sending', 'finishing', 'waiting', 'added', 'known'].includes(twin.state)) {
    forgetFiles([entry])
    insides.delete(entry.id)
    noteRepeated(entry)
    return
  }
  byContent.set(key, entry)
  entry.state = 'waiting'
  toAsk.push(entry)
  askSoon()
}

/** The same content twice in one queue is one. */
function noteRepeated(entry: UploadEntry): void {
  const { entries, events } = uploads()
  const counts = events.get(entry.eventId)
  if (!counts) return
  noteUploads({
    entries: entries.filter((one) => one !== entry),
    events: new Map([...events, [entry.eventId, { ...counts, repeated: counts.repeated + 1 }]]),
  })
}

function askSoon(): void {
  if (toAsk.length === 0 || asking !== undefined) return
  asking = setTimeout(() => {
    asking = undefined
    void askForContents()
  }, askAfterMs)
}

/** What the event has already is not sent. */
async function askForContents(): Promise<void> {
  const batch = toAsk.splice(0, mostAsked).filter(({ state }) => state !== 'cancelled')
  askSoon()
  for (const [eventId, entries] of Map.groupBy(batch, (entry) => entry.eventId)) {
    const hashes = entries.flatMap((entry) => insideOf(entry).hash ?? [])
    try {
      const known = await persist(way, () => knownOf(eventId, hashes, AbortSignal.timeout(60_000)))
      for (const entry of entries) {
        if (entry.state === 'cancelled') continue
        if (known[insideOf(entry).hash ?? ''] !== undefined) end(entry, 'known')
        else {
          entry.state = 'ready'
          toSend.push(entry)
        }
      }
    } catch (error) {
      for (const entry of entries) giveUp(entry, error)
    }
  }
  noteUploads()
  work()
}

async function sendNext(): Promise<void> {
  for (let entry = next(toSend); entry; entry = next(toSend)) await bring(entry)
}

async function bring(entry: UploadEntry): Promise<void> {
  const inside = insideOf(entry)
  const { file, session, cancelling } = inside
  const { eventId, category } = entry
  const hash = async () => {
    inside.hash ??= await hashFile(file)
    return inside.hash
  }
  const onSession = (kept: UploadSession | null) => {
    inside.session = kept
    if (kept && entry.state !== 'cancelled') keep([entry])
  }
  const onProgress = (sentBytes: number) => {
    if (entry.state === 'cancelled') return
    movedBytes += Math.max(0, sentBytes - entry.sentBytes)
    speedometer.note(movedBytes, performance.now())
    Object.assign(entry, { sentBytes, state: sentBytes === file.size ? 'finishing' : 'sending' })
    noteUploads({ bytesPerSecond: speedometer.bytesPerSecond(performance.now()) })
  }
  entry.state = 'sending'
  noteUploads()
  try {
    const door = deskDoor({ eventId, file, hash, category, session, onSession })
    await sendFile(file, door, { ...way, cancelled: cancelling.signal, onProgress })
    end(entry, 'added')
    showWhatCame(eventId)
  } catch (error) {
    giveUp(entry, error)
  }
}

function noteTrouble(now: 'line' | 'service' | null): void {
  const { trouble } = uploads()
  // What was on its way may still be answered well.
  if (now === trouble || (now === null && line.isHeld)) return
  if (trouble === null) speedometer.restart()
  noteUploads({ trouble: now })
  // What has worked for one need not be waited for by the others.
  if (now === null) line.hurry()
}
