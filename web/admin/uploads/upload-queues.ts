import { GivenUp, type Persistence } from '../../shared/uploads/persist.ts'
import type { UploadSession } from '../../shared/uploads/send-file.ts'
import { endingOf, videoEndings } from '../../shared/uploads/upload-file-rules.ts'
import { UploadLine } from '../../shared/uploads/upload-line.ts'
import { Speedometer } from '../../shared/uploads/upload-speed.ts'
import { errorMessage } from '../parts/error-messages.ts'
import { AlreadyHere, problemIn } from './desk-door.ts'
import { forgetFiles, keepFiles } from './kept-queue.ts'
import { isUnderWay, type UploadEntry } from './upload-entries.ts'
import { noteUploads, uploads } from './upload-state.ts'

/** Browsers allow six connections per host (HTTP/1.1), and the pages need some of them. */
const requestsAtOnce = 4

type Inside = { file: File; hash: string | null; session: UploadSession | null; cancelling: AbortController }

export const line = new UploadLine(requestsAtOnce)
export const speedometer = new Speedometer()
export const way: Persistence = { line, problemIn, onTrouble: noteTrouble, cancelled: new AbortController().signal }

/** The stages of an upload: compare the size, hash the content, ask for the hash, send. */
export const toCompare: UploadEntry[] = []
export const toCheck: UploadEntry[] = []
export const toAsk: UploadEntry[] = []
export const toSend: UploadEntry[] = []

const insides = new Map<number, Inside>()
const byContent = new Map<string, UploadEntry>()
const bySize = new Map<string, Set<UploadEntry>>()
let userId = 0
let ends = 0

export function setUploader(id: number): void {
  userId = id
}

export function takeIn(entry: UploadEntry, file: File, hash: string | null, session: UploadSession | null): void {
  insides.set(entry.id, { file, hash, session, cancelling: new AbortController() })
  if (entry.state === 'waiting') {
    bySize.set(sizeKey(entry), sameSize(entry).add(entry))
    enqueue(entry)
  } else entry.endedAs = ++ends
}

/** Puts an entry into the first stage that it still needs. */
export function enqueue(entry: UploadEntry): void {
  const inside = insideOf(entry)
  inside.cancelling = new AbortController()
  Object.assign(entry, { state: 'waiting', reason: null, why: null, sentBytes: 0, endedAs: 0 })
  if (inside.session) letGo(entry)
  else if (inside.hash) toAsk.push(entry)
  else toCompare.push(entry)
}

export function letGo(entry: UploadEntry): void {
  entry.state = 'ready'
  toSend.push(entry)
}

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

/** Returns all entries of the event with the same size. Only these can have the same content. */
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

/** Cancels an entry, unless all its bytes are sent: the server may then still add the photo. */
export function takeOut(entry: UploadEntry): void {
  if (!isUnderWay(entry) || entry.state === 'finishing') return
  end(entry, 'cancelled')
  insideOf(entry).cancelling.abort()
}

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
  // Failed uploads stay stored, so that they can be retried, also after a reload.
  if (state !== 'failed') forgetFiles([entry])
  noteUploads()
}

export function giveUp(entry: UploadEntry, error: unknown): void {
  if (entry.state === 'cancelled') return
  if (error instanceof GivenUp) endBy(entry, error)
  else if (error instanceof AlreadyHere) end(entry, 'known')
  else {
    // An unexpected error must not stop the other files.
    reportError(error)
    end(entry, 'failed', { reason: 'other' })
  }
}

function endBy(entry: UploadEntry, { verdict, problem, cause }: GivenUp): void {
  // Without the permission to read the settings, the client learns the allowed types only from this error.
  const isVideoLeftOut = problem?.code === 'FILE_TYPE_NOT_ALLOWED' && videoEndings.includes(endingOf(entry.name))
  const reason = isVideoLeftOut ? 'video' : verdict.reason
  end(entry, verdict.kind, { reason, why: verdict.reason === 'other' ? errorMessage(cause) : null })
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
  // Requests that are still running may succeed.
  if (now === trouble || (now === null && line.isHeld)) return
  if (trouble === null) speedometer.restart()
  noteUploads({ trouble: now })
  // After one success, the others retry immediately.
  if (now === null) line.hurry()
}
