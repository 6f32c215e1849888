import { type ChosenFile, getFileKey, type UploadReason } from '../../shared/uploads/upload-file-rules.ts'
import type { LeftOutReason } from './accepted-types.ts'

/**
 * `waiting`: not compared yet. `ready`: new, waits for upload. `finishing`: all bytes are sent, the response is
 * pending. `added`: confirmed by the server. `known`: the event already had this content. `leftOut`: not sent.
 * `rejected`: permanently rejected. `failed`: can be retried.
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
  | 'rejected'
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
  endNumber: number
}

const activeStates: readonly UploadState[] = ['waiting', 'checking', 'ready', 'sending', 'finishing']
export const isActive = ({ state }: UploadEntry): boolean => activeStates.includes(state)
const isCounted = (entry: UploadEntry): boolean => isActive(entry) || entry.state === 'added'

export type NewFile<T extends ChosenFile> = { file: T; path: string }

type NewEntryOptions<T extends ChosenFile> = {
  eventId: number
  files: ReadonlyArray<NewFile<T>>
  categoryOf: (file: { key: string; path: string }) => EntryCategory
  /** Returns the reason to skip a file; null if the server has to check it. */
  findLeftOutReason: (file: T) => LeftOutReason | null
  nextId: number
}

/**
 * Returns entries for new files, and how many files the event already has in the list. Canceled files can be added
 * again.
 */
export function createEntries<T extends ChosenFile>(
  { eventId, files, categoryOf, findLeftOutReason, nextId }: NewEntryOptions<T>,
  before: readonly UploadEntry[],
): { created: Array<{ entry: UploadEntry; file: T }>; repeated: number } {
  const known = new Set(
    before.filter((entry) => entry.eventId === eventId && entry.state !== 'cancelled').map(({ key }) => key),
  )
  const created: Array<{ entry: UploadEntry; file: T }> = []
  for (const { file, path } of files) {
    const key = getFileKey(file)
    if (known.has(key)) continue
    known.add(key)
    const reason = findLeftOutReason(file)
    const entry: UploadEntry = {
      id: nextId + created.length,
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
      endNumber: 0,
    }
    created.push({ entry, file })
  }
  return { created, repeated: files.length - created.length }
}

export type UploadTotals = {
  files: number
  done: number
  bytes: number
  sentBytes: number
  isActive: boolean
}

/**
 * Returns the overall progress. Skipped, failed and canceled files do not count; known files count as done, without
 * bytes.
 */
export function computeTotals(entries: readonly UploadEntry[]): UploadTotals {
  const totals: UploadTotals = { files: 0, done: 0, bytes: 0, sentBytes: 0, isActive: false }
  for (const entry of entries) {
    const { state, size, sentBytes } = entry
    if (state === 'known') {
      totals.files++
      totals.done++
    }
    if (!isCounted(entry)) continue
    totals.files++
    totals.bytes += size
    totals.sentBytes += state === 'added' ? size : sentBytes
    if (state === 'added') totals.done++
    else totals.isActive = true
  }
  return totals
}

export function sortForDisplay(entries: readonly UploadEntry[]): UploadEntry[] {
  const moving: UploadEntry[] = []
  const next: UploadEntry[] = []
  const ended: UploadEntry[] = []
  for (const entry of entries) {
    const { state } = entry
    if (state === 'sending' || state === 'finishing') moving.push(entry)
    else (isActive(entry) ? next : ended).push(entry)
  }
  return [...moving, ...next, ...ended.sort((a, b) => b.endNumber - a.endNumber)]
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

export function createReport(entries: readonly UploadEntry[]): UploadReport {
  const count = (...states: UploadState[]) => entries.filter(({ state }) => states.includes(state)).length
  const groups = new Map<string, UploadReport['groups'][number]>()
  for (const { state, reason, why, path } of entries) {
    if (!['rejected', 'failed', 'leftOut'].includes(state)) continue
    const isLeftOut = state === 'leftOut'
    const key = `${isLeftOut} ${reason} ${why}`
    const group = groups.get(key) ?? { reason: reason ?? 'other', why, isLeftOut, paths: [] }
    group.paths.push(path)
    groups.set(key, group)
  }
  return {
    added: count('added'),
    known: count('known'),
    failed: count('rejected', 'failed'),
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
export function getCategoryFolder(path: string, hasSeveralFolders: boolean): string | null {
  const folders = path.split('/').slice(0, -1)
  return folders[hasSeveralFolders ? 0 : 1] ?? null
}

export const hasSeveralRoots = (paths: readonly string[]): boolean =>
  new Set(paths.map((path) => (path.includes('/') ? path.split('/')[0] : ''))).size > 1
