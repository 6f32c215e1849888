import {
  groupMissing,
  isActive,
  type UploadEntry as SharedEntry,
  selectNewFiles,
  type UploadState,
} from '../../shared/uploads/upload-entries.ts'
import type { ChosenFile, UploadReason } from '../../shared/uploads/upload-file-rules.ts'
import type { LeftOutReason } from './accepted-types.ts'

/** A category id, or the name of a category that is created if it is missing; null for no category. */
export type EntryCategory = number | string | null

/** The state is mutated in place, because there may be thousands of entries. */
export type UploadEntry = SharedEntry<UploadReason | LeftOutReason> & {
  readonly eventId: number
  readonly path: string
  readonly category: EntryCategory
  /** A replaced file stays as a version of its photo. */
  readonly keepsVersions: boolean
  /** The photo that the file replaces; null if it becomes a new one. */
  replaces: number | null
  /** The `filename` of the photo that the file has become; null until then. */
  filename: string | null
  /** A message that says more than the reason: of an error response, or with the limit of the size; otherwise null. */
  why: string | null
  /** The number of this entry in the order in which uploads ended; 0 until it ends. */
  endNumber: number
}

type NewEntryOptions<T extends ChosenFile> = {
  eventId: number
  keepsVersions: boolean
  files: ReadonlyArray<{ file: T; path: string }>
  categoryOf: (file: { key: string; path: string }) => EntryCategory
  /** Returns why a file is skipped; null if it can be sent. */
  findLeftOut: (file: T) => { reason: LeftOutReason; why: string | null } | null
  nextId: number
}

/** `sameAs` is the path of the file with the same content; null if the file itself was chosen again. */
export type RepeatedFile = { path: string; sameAs: string | null }

/** Returns entries for new files, and the files that are repeated in `files` or already in the list for this event. */
export function createEntries<T extends ChosenFile>(
  { eventId, keepsVersions, files, categoryOf, findLeftOut, nextId }: NewEntryOptions<T>,
  list: readonly UploadEntry[],
): { created: Array<{ entry: UploadEntry; file: T }>; repeated: RepeatedFile[] } {
  const { selected, repeated } = selectNewFiles(
    files,
    list.filter((entry) => entry.eventId === eventId),
  )
  const created = selected.map(({ file, path, key }, index) => {
    const { reason = null, why = null } = findLeftOut(file) ?? {}
    const state: UploadState = reason ? 'leftOut' : 'waiting'
    const { name, size } = file
    const place = { id: nextId + index, eventId, key, name, path, size, category: categoryOf({ key, path }) }
    return {
      file,
      entry: {
        ...place,
        keepsVersions,
        state,
        sentBytes: 0,
        reason,
        why,
        replaces: null,
        filename: null,
        endNumber: 0,
      },
    }
  })
  return { created, repeated: repeated.map(({ path }) => ({ path, sameAs: null })) }
}

type Chosen = { keys: ReadonlySet<string>; paths: ReadonlySet<string> }

/**
 * Returns the entries of an event that leave the report when more files are chosen. A file that is chosen again after its
 * upload has ended is checked again: it may have failed, or been replaced on the disk. The others leave only when all have
 * ended, except those that failed.
 */
export function findLeaving(
  entries: readonly UploadEntry[],
  { keys, paths }: Chosen,
): { leaving: UploadEntry[]; isNewReport: boolean } {
  const isNewReport = !entries.some(isActive)
  const leaves = ({ key, path, state }: UploadEntry) =>
    keys.has(key) || paths.has(path) || (isNewReport && state !== 'failed' && state !== 'rejected')
  return { leaving: entries.filter((entry) => !isActive(entry) && leaves(entry)), isNewReport }
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

export type ReplacedPhoto = { id: number; filename: string }

export type UploadReport = {
  added: number
  /** The photos with a new file, and its `filename`. Missing in reports of earlier versions. */
  replaced?: readonly ReplacedPhoto[]
  /** The earlier files of replaced photos are versions. */
  keepsVersions?: boolean
  known: number
  failed: number
  retryable: number
  leftOut: number
  cancelled: number
  /** Rejected, failed and left-out files by reason. Left-out files come last, otherwise larger groups come first. */
  groups: Array<{
    reason: NonNullable<UploadEntry['reason']>
    why: string | null
    isLeftOut: boolean
    paths: string[]
  }>
}

export function createReport(entries: readonly UploadEntry[]): UploadReport {
  const count = (...states: UploadState[]) => entries.filter(({ state }) => states.includes(state)).length
  const replaced = entries.flatMap(({ state, replaces: id, filename }) =>
    state === 'added' && id !== null && filename !== null ? { id, filename } : [],
  )
  const groups = groupMissing(entries, ({ state, reason, why }) => `${state === 'leftOut'} ${reason} ${why}`)
  return {
    added: count('added') - replaced.length,
    replaced,
    keepsVersions: entries[0]?.keepsVersions === true,
    known: count('known'),
    failed: count('rejected', 'failed'),
    retryable: count('failed'),
    leftOut: count('leftOut'),
    cancelled: count('cancelled'),
    groups: groups
      .map((group) => ({
        reason: group[0]?.reason ?? ('other' as const),
        why: group[0]?.why ?? null,
        isLeftOut: group[0]?.state === 'leftOut',
        paths: group.map(({ path }) => path),
      }))
      .sort((a, b) => Number(a.isLeftOut) - Number(b.isLeftOut)),
  }
}

/** Returns the folder in the path of a file whose name is its category; null for a file that is in no such folder. */
export function getCategoryFolder(path: string, depth: number): string | null {
  const folders = path.split('/').slice(0, -1)
  return folders[depth] ?? null
}

/**
 * Returns which folder in the paths names the categories: 1 for those inside of the one folder that was dropped, and 0 for
 * that folder itself if it has no others, or if several were dropped.
 */
export function getCategoryDepth(paths: readonly string[]): number {
  const roots = new Set(paths.map((path) => (path.includes('/') ? path.split('/')[0] : '')))
  return roots.size === 1 && paths.some((path) => path.split('/').length > 2) ? 1 : 0
}
