import {
  groupMissing,
  type UploadEntry as SharedEntry,
  selectNewFiles,
  type UploadState,
} from '../../shared/uploads/upload-entries.ts'
import {
  type ChosenFile,
  rejectedBeforeUpload,
  type TakenTypes,
  type UploadReason,
} from '../../shared/uploads/upload-file-rules.ts'

/** Without the states that only the admin app uses. */
export type GuestUploadState = Exclude<UploadState, 'checking' | 'asked' | 'ready' | 'known' | 'leftOut'>

/** `isHidden`: an added file waits for moderation. */
export type UploadEntry = SharedEntry & { state: GuestUploadState; isHidden: boolean }

export function createEntries<T extends ChosenFile>(
  files: readonly T[],
  list: readonly UploadEntry[],
  taken: TakenTypes,
): { created: Array<{ entry: UploadEntry; file: T }>; repeated: number } {
  const { selected, repeated } = selectNewFiles(
    files.map((file) => ({ file })),
    list,
  )
  const created = selected.map(({ file, key }, index) => {
    const reason = rejectedBeforeUpload(file, taken)
    const state: GuestUploadState = reason ? 'rejected' : 'waiting'
    const { name, size } = file
    return { file, entry: { id: list.length + index, key, name, size, state, sentBytes: 0, reason, isHidden: false } }
  })
  return { created, repeated: repeated.length }
}

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
  const ofState = (state: GuestUploadState) => entries.filter((entry) => entry.state === state)
  const added = ofState('added')
  return {
    added: added.length,
    hidden: added.filter(({ isHidden }) => isHidden).length,
    rejected: ofState('rejected').length,
    failed: ofState('failed').length,
    groups: groupMissing(entries, ({ reason }) => reason ?? 'other').map((group) => ({
      reason: group[0]?.reason ?? 'other',
      names: group.map(({ name }) => name),
    })),
  }
}
