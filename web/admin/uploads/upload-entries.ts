import { type ChosenFile, keyOf, type UploadReason } from '../../shared/uploads/upload-file-rules.ts'
import type { LeftOutReason } from './taken-kinds.ts'

/**
 * `waiting`: its content is not known yet. `ready`: it is, and the event has none such. `finishing`: all bytes are out, and
 * the answer is not there yet. `added`: the service has said so. `known`: the event had this content before. `leftOut`: was
 * never sent. `refused`: as this file is, it will not be taken. `failed`: it may be another time. `cancelled`: taken out by
 * hand.
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

/** The category of its photo: by its id, or by its name, which may have to be made; null for none. */
export type EntryCategory = number | string | null

/** One file of an event. Its state is changed in place, as there may be thousands. */
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
  /** What the service said, where no reason of ours does. */
  why: string | null
  /** Counts the ends, so that the latest can stand first; 0 before its own. */
  endedAs: number
}

const underWayStates: readonly UploadState[] = ['waiting', 'checking', 'ready', 'sending', 'finishing']
export const isUnderWay = ({ state }: UploadEntry): boolean => underWayStates.includes(state)
/** What is sent, or may be after all. */
const isOnItsWay = (entry: UploadEntry): boolean => isUnderWay(entry) || entry.state === 'added'

export type NewFile<T extends ChosenFile> = { file: T; path: string }

type Arrivals<T extends ChosenFile> = {
  eventId: number
  files: ReadonlyArray<NewFile<T>>
  categoryOf: (file: { key: string; path: string }) => EntryCategory
  /** Why it is not even sent; null for what the service is to check. */
  leaveOut: (file: T) => LeftOutReason | null
  nextId: number
}

/**
 * Entries for files that are not among those of the event yet, and how many are: a file chosen twice is one. What was
 * cancelled may be chosen again.
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
  /** Of these, how many need nothing more. */
  done: number
  bytes: number
  sentBytes: number
  isUnderWay: boolean
}

/** How far all are together. What is not sent, or no longer, is no part of the way; what is known already is at its end. */
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

/** As they are looked at: what is on its way, what comes next, and what has ended, the latest first. */
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
  /** Refused ones among them. */
  failed: number
  /** Of the failed, those that may be taken another time. */
  retryable: number
  leftOut: number
  cancelled: number
  /** Files that are not there, by the reason why; failed ones first, then by their number. */
  groups: Array<{
    reason: NonNullable<UploadEntry['reason']>
    why: string | null
    isLeftOut: boolean
    paths: string[]
  }>
}

/** What has become of all files. Added is only what the service has said it has. */
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
 * The folder whose name the category of a file bears: the one below what was dropped, or what was dropped itself where
 * that were several folders. Null for what lies in none.
 */
export function folderOf(path: string, isOneOfSeveral: boolean): string | null {
  const folders = path.split('/').slice(0, -1)
  return folders[isOneOfSeveral ? 0 : 1] ?? null
}

/** Whether the files lie in several folders that stand beside each other at the top. */
export const haveSeveralRoots = (paths: readonly string[]): boolean =>
  new Set(paths.map((path) => (path.includes('/') ? path.split('/')[0] : ''))).size > 1
