import {
  type ChosenFile,
  getFileKey,
  rejectedBeforeUpload,
  type UploadReason,
} from '../../shared/uploads/upload-file-rules.ts'

/**
 * `finishing`: the response is pending. `rejected`: the file cannot be accepted. `failed`: a later attempt may succeed.
 */
export type UploadState = 'waiting' | 'sending' | 'finishing' | 'added' | 'rejected' | 'failed' | 'cancelled'

export type UploadEntry = {
  id: number
  key: string
  name: string
  size: number
  state: UploadState
  sentBytes: number
  reason: UploadReason | null
  /** Whether an added file waits for moderation. */
  isHidden: boolean
}

const isInProgress = ({ state }: UploadEntry): boolean =>
  state === 'waiting' || state === 'sending' || state === 'finishing'

/** A canceled file can be chosen again. */
export function createEntries<T extends ChosenFile>(
  files: readonly T[],
  before: readonly UploadEntry[],
): { fresh: Array<{ entry: UploadEntry; file: T }>; repeated: number } {
  const known = new Set(before.filter(({ state }) => state !== 'cancelled').map(({ key }) => key))
  const fresh: Array<{ entry: UploadEntry; file: T }> = []
  for (const file of files) {
    const key = getFileKey(file)
    if (known.has(key)) continue
    known.add(key)
    const reason = rejectedBeforeUpload(file)
    const { name, size } = file
    const state = reason ? 'rejected' : 'waiting'
    const entry: UploadEntry = {
      id: before.length + fresh.length,
      key,
      name,
      size,
      state,
      sentBytes: 0,
      reason,
      isHidden: false,
    }
    fresh.push({ entry, file })
  }
  return { fresh, repeated: files.length - fresh.length }
}

/** Returns the progress of all files except rejected, failed and canceled ones. */
export function computeTotals(entries: readonly UploadEntry[]) {
  const countedEntries = entries.filter(
    ({ state }) => state !== 'rejected' && state !== 'cancelled' && state !== 'failed',
  )
  return {
    files: countedEntries.length,
    added: countedEntries.filter(({ state }) => state === 'added').length,
    bytes: sum(countedEntries.map(({ size }) => size)),
    sentBytes: sum(countedEntries.map(({ size, sentBytes, state }) => (state === 'added' ? size : sentBytes))),
    isInProgress: entries.some(isInProgress),
  }
}

const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0)

export type UploadReport = {
  added: number
  /** How many of the added files wait for moderation. */
  hidden: number
  rejected: number
  failed: number
  /** Files that were not added, by reason, the largest group first. */
  groups: Array<{ reason: UploadReason; names: string[] }>
}

/** Only files that the service has confirmed count as added. */
export function createReport(entries: readonly UploadEntry[]): UploadReport {
  const of = (state: UploadState) => entries.filter((entry) => entry.state === state)
  const names = new Map<UploadReason, string[]>()
  for (const { reason, name } of [...of('rejected'), ...of('failed')]) {
    const key = reason ?? 'other'
    names.set(key, [...(names.get(key) ?? []), name])
  }
  const groups = [...names].map(([reason, names]) => ({ reason, names }))
  return {
    added: of('added').length,
    hidden: of('added').filter(({ isHidden }) => isHidden).length,
    rejected: of('rejected').length,
    failed: of('failed').length,
    groups: groups.sort((a, b) => b.names.length - a.names.length),
  }
}
