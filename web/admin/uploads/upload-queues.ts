import type { SameNameKind } from '../../../contract/files/find-replaceable.ts'
import { type RetryOptions, UploadFailed } from '../../shared/uploads/retry.ts'
import type { UploadSession } from '../../shared/uploads/send-file.ts'
import type { UploadBatch } from '../../shared/uploads/upload-batches.ts'
import { createUploadEngine, toUploadFailure } from '../../shared/uploads/upload-engine.ts'
import { isActive } from '../../shared/uploads/upload-entries.ts'
import { getExtension, videoExtensions } from '../../shared/uploads/upload-file-rules.ts'
import { errorMessage } from '../components/error-messages.ts'
import { deleteQueuedFiles, storeQueuedFiles } from './stored-queue.ts'
import { AlreadyUploaded, toUploadProblem } from './upload-adapter.ts'
import type { UploadEntry } from './upload-entries.ts'
import { updateUploads } from './upload-state.ts'

/** With HTTP/1.1, browsers allow six connections per host, and the pages need some of them. */
const concurrentRequests = 4

type EntryInternals = {
  file: File
  /** The XMP sidecar that was chosen together with the file. */
  sidecar: File | null
  hash: string | null
  /** What the operator is asked about the file, and the photo that it can replace; null if there is no question left. */
  sameName: { kind: SameNameKind; photoId: number | null } | null
  session: UploadSession | null
  batch: UploadBatch
  cancelling: AbortController
}

export const engine = createUploadEngine({
  maxRequests: concurrentRequests,
  toUploadProblem,
  onTrouble: (trouble) => updateUploads({ trouble }),
  onSpeed: (bytesPerSecond) => updateUploads({ bytesPerSecond }),
})
/** For requests that cannot be cancelled. */
export const persistence: RetryOptions = { ...engine.retryOptions, cancelled: new AbortController().signal }

/** One queue for each stage of an upload: compare the size, hash the content, ask whether the server has it, send. */
export const toCompare: UploadEntry[] = []
export const toHash: UploadEntry[] = []
export const toLookUp: UploadEntry[] = []
export const toSend: UploadEntry[] = []

const internalsById = new Map<number, EntryInternals>()
const byContent = new Map<string, UploadEntry>()
const bySize = new Map<string, Set<UploadEntry>>()
let userId = 0
let endCount = 0

export function setUploader(id: number): void {
  userId = id
}

export const getUploader = (): number => userId

export function addEntry(entry: UploadEntry, internals: Omit<EntryInternals, 'cancelling' | 'sameName'>): void {
  internalsById.set(entry.id, { ...internals, sameName: null, cancelling: new AbortController() })
  if (entry.state === 'waiting') {
    enqueue(entry)
  } else entry.endNumber = ++endCount
}

/** Puts an entry into the queue of the first stage that it still needs. */
export function enqueue(entry: UploadEntry): void {
  const internals = getInternals(entry)
  bySize.set(sizeKey(entry), entriesOfSameSize(entry).add(entry))
  internals.cancelling = new AbortController()
  Object.assign(entry, { state: 'waiting', reason: null, why: null, sentBytes: 0, endNumber: 0 })
  if (internals.session) markReady(entry)
  else if (internals.hash) toLookUp.push(entry)
  else toCompare.push(entry)
}

export function markReady(entry: UploadEntry): void {
  entry.state = 'ready'
  toSend.push(entry)
}

/** Puts an entry whose content is new into the queue, or holds it until the operator has decided about it. */
export function markNew(entry: UploadEntry): void {
  if (getInternals(entry).sameName === null) markReady(entry)
  else entry.state = 'asked'
}

export function nextEntry(queue: UploadEntry[]): UploadEntry | undefined {
  if (engine.scheduler.isPaused) return undefined
  for (;;) {
    const entry = queue.shift()
    if (entry?.state !== 'cancelled') return entry
  }
}

export function getInternals(entry: UploadEntry): EntryInternals {
  const internals = internalsById.get(entry.id)
  if (!internals) throw new Error('An entry without its file')
  return internals
}

/** Returns all entries of the event with the same size. Only these can have the same content. */
export const entriesOfSameSize = (entry: UploadEntry): Set<UploadEntry> => bySize.get(sizeKey(entry)) ?? new Set()

export const findContentOwner = (entry: UploadEntry, hash: string): UploadEntry | undefined =>
  byContent.get(contentKey(entry, hash))

export function setContentOwner(entry: UploadEntry, hash: string): void {
  byContent.set(contentKey(entry, hash), entry)
}

export function storeEntries(entries: readonly UploadEntry[]): void {
  storeQueuedFiles(
    entries.map((entry) => {
      const { hash, session, batch } = getInternals(entry)
      const { eventId, key, size, category, replaces } = entry
      return { eventId, userId, key, size, category, hash, session, batch, replaces }
    }),
  )
}

/** Cancels an entry, unless all its bytes are sent: the server may then still add the photo. */
export function cancelUpload(entry: UploadEntry): void {
  if (!isActive(entry) || entry.state === 'finishing') return
  endEntry(entry, 'cancelled')
  getInternals(entry).cancelling.abort()
}

export function removeEntry(entry: UploadEntry): void {
  const hash = internalsById.get(entry.id)?.hash
  if (hash && findContentOwner(entry, hash) === entry) byContent.delete(contentKey(entry, hash))
  entriesOfSameSize(entry).delete(entry)
  internalsById.delete(entry.id)
}

export function endEntry(
  entry: UploadEntry,
  state: UploadEntry['state'],
  { reason = null, why = null }: Partial<Pick<UploadEntry, 'reason' | 'why'>> = {},
): void {
  Object.assign(entry, { state, reason, why, endNumber: ++endCount, sentBytes: state === 'added' ? entry.size : 0 })
  // Failed uploads stay stored, so that they can be retried, even after a reload.
  if (state !== 'failed') deleteQueuedFiles([entry])
  updateUploads()
}

export function failEntry(entry: UploadEntry, error: unknown): void {
  if (entry.state === 'cancelled') return
  if (error instanceof AlreadyUploaded) {
    endEntry(entry, 'known')
    return
  }
  const { state, endsAll, ...failure } = toUploadFailure(error)
  const { problem = null, cause } = error instanceof UploadFailed ? error : {}
  // An account that may not read the settings learns only from this error that videos are not allowed.
  const isVideoNotAllowed =
    problem?.code === 'FILE_TYPE_NOT_ALLOWED' && videoExtensions.includes(getExtension(entry.name))
  const reason = isVideoNotAllowed ? 'video' : failure.reason
  // An account that may not read the settings learns the limit of the size only from this error.
  const isSpecific = problem !== null && (failure.reason === 'other' || problem.code === 'FILE_TOO_LARGE')
  endEntry(entry, state, { reason, why: isSpecific ? errorMessage(cause) : null })
  if (!endsAll) return
  for (const queued of [toCompare, toHash, toLookUp, toSend]) {
    for (const other of queued.splice(0)) {
      if (other.eventId !== entry.eventId) queued.push(other)
      else if (other.state !== 'cancelled') endEntry(other, 'failed', { reason: failure.reason })
    }
  }
}

const sizeKey = ({ eventId, size }: UploadEntry): string => `${eventId} ${size}`
const contentKey = ({ eventId }: UploadEntry, hash: string): string => `${eventId} ${hash}`
