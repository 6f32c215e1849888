import { type ChosenFile, keyOf, type UploadReason } from '../../shared/uploads/upload-file-rules.ts'
import type { LeftOutReason } from './taken-kinds.ts'

/**
 * `waiting`: not compared yet. `ready`: new, waits for upload. `finishing`: all bytes are sent, the response is
 * pending. `added`: confirmed by the server. `known`: the event already had this content. `leftOut`: not sent.
 * `refused`: permanently rejected. `failed`: can be retried.
 */
export type UploadState =
  | 'waiting'
  | 'checking'
  | 'ready'
  | 'sending'
  | 'finishing'
  | 'added'
  | 'known'
  | 'leftOut'
  | 'refused'
  | 'failed'
  | 'cancelled'

/** Category id, or a name for which a category is created if necessary; null for no category. */
export type EntryCategory = number | string | null

/** The state is mutated in place, because there may be thousands of entries. */
export type UploadEntry = {
  readonly id: number
  readonly eventId: number
  readonly key: string
  readonly name: string
  readonly path: string
  readonly size: number
  readonly category: EntryCategory
  state: UploadState
  sentBytes: number
  reason: UploadReason | LeftOutReason | null
  /** The server's message if there is no translated reason. */
  why: string | null
  /** Sequence number of the end, to sort the latest first; 0 until then. */
  endedAs: number
}

const underWayStates: readonly UploadState[] = ['waiting', 'checking', 'ready', 'sending', 'finishing']
export const isUnderWay = ({ state }: UploadEntry): boolean => underWayStates.includes(state)
const isOnItsWay = (entry: UploadEntry): boolean => isUnderWay(entry) || entry.state === 'added'

export type NewFile<T extends ChosenFile> = { file: T; path: string }

type Arrivals<T extends ChosenFile> = {
  eventId: number
  files: ReadonlyArray<NewFile<T>>
  categoryOf: (file: { key: string; path: string }) => EntryCategory
  /** Returns the reason to skip a file; null if the server has to check it. */
  leaveOut: (file: T) => LeftOutReason | null
  nextId: number
}

/**
 * Returns entries for new files, and how many files the event already has in the list. Canceled files can be added
 * again.
 */
export function entriesFor<T extends ChosenFile>(
  { eventId, files, categoryOf, leaveOut, nextId }: Arrivals<T>,
  before: readonly UploadEntry[],
): { fresh: Array<{ entry: UploadEntry; file: T }>; repeated: number } {
  const known = new Set(
    before.filter((entry) => entry.eventId === eventId && entry.state !== 'cancelled').map(({ key }) => key),
  )
  const fresh: Array<{ entry: UploadEntry; file: T }> = []
  for (const { file, path } of files) {
    const key = keyOf(file)
    if (known.has(key)) continue
    known.add(key)
    const reason = leaveOut(file)
    const entry: UploadEntry = {
      id: nextId + fresh.length,
      eventId,
      key,
      name: file.name,
      path,
      size: file.size,
      category: categoryOf({ key, path }),
      state: reason ? 'leftOut' : 'waiting',
      sentBytes: 0,
      reason,
      why: null,
      endedAs: 0,
    }
    fresh.push({ entry, file })
  }
  return { fresh, repeated: files.length - fresh.length }
}

export type UploadTotals = {
  files: number
  done: number
  bytes: number
  sentBytes: number
  isUnderWay: boolean
}

/**
 * Returns the overall progress. Skipped, failed and canceled files do not count; known files count as done, without
 * bytes.
 */
export function totalsOf(entries: readonly UploadEntry[]): UploadTotals {
  const totals: UploadTotals = { files: 0, done: 0, bytes: 0, sentBytes: 0, isUnderWay: false }
  for (const entry of entries) {
    const { state, size, sentBytes } = entry
    if (state === 'known') {
      totals.files++
      totals.done++
    }
    if (!isOnItsWay(entry)) continue
    totals.files++
    totals.bytes += size
    totals.sentBytes += state === 'added' ? size : sentBytes
    if (state === 'added') totals.done++
    else totals.isUnderWay = true
  }
  return totals
}

export function rowsOf(entries: readonly UploadEntry[]): UploadEntry[] {
  const moving: UploadEntry[] = []
  const next: UploadEntry[] = []
  const ended: UploadEntry[] = []
  for (const entry of entries) {
    const { state } = entry
    if (state === 'sending' || state === 'finishing') moving.push(entry)
    else (isUnderWay(entry) ? next : ended).push(entry)
  }
  return [...moving, ...next, ...ended.sort((a, b) => b.endedAs - a.endedAs)]
}

export type UploadReport = {
  added: number
  known: number
  failed: number
  retryable: number
  leftOut: number
  cancelled: number
  /** Missing files by reason: failures before skipped files, larger groups first. */
  groups: Array<{
    reason: NonNullable<UploadEntry['reason']>
    why: string | null
    isLeftOut: boolean
    paths: string[]
  }>
}

export function reportOf(entries: readonly UploadEntry[]): UploadReport {
  const count = (...states: UploadState[]) => entries.filter(({ state }) => states.includes(state)).length
  const groups = new Map<string, UploadReport['groups'][number]>()
  for (const { state, reason, why, path } of entries) {
    if (!['refused', 'failed', 'leftOut'].includes(state)) continue
    const isLeftOut = state === 'leftOut'
    const key = `${isLeftOut} ${reason} ${why}`
    const group = groups.get(key) ?? { reason: reason ?? 'other', why, isLeftOut, paths: [] }
    group.paths.push(path)
    groups.set(key, group)
  }
  return {
    added: count('added'),
    known: count('known'),
    failed: count('refused', 'failed'),
    retryable: count('failed'),
    leftOut: count('leftOut'),
    cancelled: count('cancelled'),
    groups: [...groups.values()].sort(
      (a, b) => Number(a.isLeftOut) - Number(b.isLeftOut) || b.paths.length - a.paths.length,
    ),
  }
}

/**
 * Returns the folder name for the category of a file: the dropped folder if several were dropped, otherwise its
 * subfolder. Null for files in neither.
 */
export function folderOf(path: string, isOneOfSeveral: boolean): string | null {
  const folders = path.split('/').slice(0, -1)
  return folders[isOneOfSeveral ? 0 : 1] ?? null
}

export const haveSeveralRoots = (paths: readonly string[]): boolean =>
  new Set(paths.map((path) => (path.includes('/') ? path.split('/')[0] : ''))).size > 1
