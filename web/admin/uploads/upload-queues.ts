import { GivenUp, type Persistence } from '../../shared/uploads/persist.ts'
import type { UploadSession } from '../../shared/uploads/send-file.ts'
import { endingOf, videoEndings } from '../../shared/uploads/upload-file-rules.ts'
import { UploadLine } from '../../shared/uploads/upload-line.ts'
import { Speedometer } from '../../shared/uploads/upload-speed.ts'
import { wordsOf } from '../parts/error-messages.ts'
import { AlreadyHere, problemIn } from './desk-door.ts'
import { forgetFiles, keepFiles } from './kept-queue.ts'
import { isUnderWay, type UploadEntry } from './upload-entries.ts'
import { noteUploads, uploads } from './upload-state.ts'

/** Requests at once: browsers take six of one address, and the pages want theirs. */
const requestsAtOnce = 4

/** What nobody else needs to know of an entry. */
type Inside = { file: File; hash: string | null; session: UploadSession | null; cancelling: AbortController }

export const line = new UploadLine(requestsAtOnce)
export const speedometer = new Speedometer()
export const way: Persistence = { line, problemIn, onTrouble: noteTrouble, cancelled: new AbortController().signal }

/** Whose size is to be asked for, whose content is to be read, whose content is to be asked for, and what goes out. */
export const toCompare: UploadEntry[] = []
export const toCheck: UploadEntry[] = []
export const toAsk: UploadEntry[] = []
export const toSend: UploadEntry[] = []

const insides = new Map<number, Inside>()
/** The entry that stands for a content, by event and hash. */
const byContent = new Map<string, UploadEntry>()
const bySize = new Map<string, Set<UploadEntry>>()
let userId = 0
let ends = 0

export function setUploader(id: number): void {
  userId = id
}

/** `hash` and `session`: of before an interruption. */
export function takeIn(entry: UploadEntry, file: File, hash: string | null, session: UploadSession | null): void {
  insides.set(entry.id, { file, hash, session, cancelling: new AbortController() })
  if (entry.state === 'waiting') {
    bySize.set(sizeKey(entry), sameSize(entry).add(entry))
    enqueue(entry)
  } else entry.endedAs = ++ends
}

/** To where it goes on: what was begun is sent, what is known by its content is asked for, all else is compared first. */
export function enqueue(entry: UploadEntry): void {
  const inside = insideOf(entry)
  inside.cancelling = new AbortController()
  Object.assign(entry, { state: 'waiting', reason: null, why: null, sentBytes: 0, endedAs: 0 })
  if (inside.session) letGo(entry)
  else if (inside.hash) toAsk.push(entry)
  else toCompare.push(entry)
}

/** Nothing keeps it from being sent. */
export function letGo(entry: UploadEntry): void {
  entry.state = 'ready'
  toSend.push(entry)
}

/** The first that is still wanted; nothing while it is paused, so that nothing is taken off. */
export function next(queue: UploadEntry[]): UploadEntry | undefined {
  if (line.isPaused) return undefined
  for (;;) {
    const entry = queue.shift()
    if (entry?.state !== 'cancelled') return entry
  }
}

export function insideOf(entry: UploadEntry): Inside {
  const inside = insides.get(entry.id)
  if (!inside) throw new Error('An entry without its file')
  return inside
}

/** All entries of its size and event: of those of a size of their own nobody else in the queue has the content. */
export const sameSize = (entry: UploadEntry): Set<UploadEntry> => bySize.get(sizeKey(entry)) ?? new Set()

export const whoHas = (entry: UploadEntry, hash: string): UploadEntry | undefined =>
  byContent.get(contentKey(entry, hash))

export function noteWhoHas(entry: UploadEntry, hash: string): void {
  byContent.set(contentKey(entry, hash), entry)
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
  if (hash && whoHas(entry, hash) === entry) byContent.delete(contentKey(entry, hash))
  sameSize(entry).delete(entry)
  insides.delete(entry.id)
}

export function end(
  entry: UploadEntry,
  state: UploadEntry['state'],
  { reason = null, why = null }: Partial<Pick<UploadEntry, 'reason' | 'why'>> = {},
): void {
  Object.assign(entry, { state, reason, why, endedAs: ++ends, sentBytes: state === 'added' ? entry.size : 0 })
  // What has failed may be tried again, also by a later page.
  if (state !== 'failed') forgetFiles([entry])
  noteUploads()
}

export function giveUp(entry: UploadEntry, error: unknown): void {
  if (entry.state === 'cancelled') return
  if (error instanceof GivenUp) endBy(entry, error)
  else if (error instanceof AlreadyHere) end(entry, 'known')
  else {
    // A mistake of ours: the other files are to go on.
    reportError(error)
    end(entry, 'failed', { reason: 'other' })
  }
}

function endBy(entry: UploadEntry, { verdict, problem, cause }: GivenUp): void {
  // Whoever may not see the settings hears only now that they do not let this kind in.
  const isVideoLeftOut = problem?.code === 'FILE_TYPE_NOT_ALLOWED' && videoEndings.includes(endingOf(entry.name))
  const reason = isVideoLeftOut ? 'video' : verdict.reason
  end(entry, verdict.kind, { reason, why: verdict.reason === 'other' ? wordsOf(cause) : null })
  if (verdict.kind !== 'failed' || !verdict.endsAll) return
  for (const queued of [toCompare, toCheck, toAsk, toSend]) {
    for (const other of queued.splice(0)) {
      if (other.eventId !== entry.eventId) queued.push(other)
      else if (other.state !== 'cancelled') end(other, 'failed', { reason: verdict.reason })
    }
  }
}

const sizeKey = ({ eventId, size }: UploadEntry): string => `${eventId} ${size}`
const contentKey = ({ eventId }: UploadEntry, hash: string): string => `${eventId} ${hash}`

function noteTrouble(now: 'line' | 'service' | null): void {
  const { trouble } = uploads()
  // What was on its way may still be answered well.
  if (now === trouble || (now === null && line.isHeld)) return
  if (trouble === null) speedometer.restart()
  noteUploads({ trouble: now })
  // What has worked for one need not be waited for by the others.
  if (now === null) line.hurry()
}
