import type { SameNameKind } from '../../../contract/files/find-replaceable.ts'
import { ApiError } from '../../shared/api-error.ts'
import { api, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { refreshEvent } from './refresh-event.ts'
import { deleteStoredReport, loadStoredReport, storeReport } from './stored-report.ts'
import type { ReplacedPhoto, UploadEntry } from './upload-entries.ts'
import { endEntry, getInternals, getUploader, markReady, storeEntries } from './upload-queues.ts'
import { getUploads, updateUploads } from './upload-state.ts'
import { startWork } from './upload-work.ts'

const t = translator('uploads')

export type Decision = 'replace' | 'add' | 'skip'

/** A file that waits for a decision, and the photo that it can replace. */
export type AskedFile = { entry: UploadEntry; file: File; photoId: number | null; kind: SameNameKind }

export const findAsked = (entries: readonly UploadEntry[]): AskedFile[] =>
  entries.flatMap((entry) => {
    const { file, sameName } = getInternals(entry)
    return entry.state === 'asked' && sameName ? [{ entry, file, ...sameName }] : []
  })

/** If several files have the name of one photo, only the first replaces it. The others become new photos. */
export function decide(asked: readonly AskedFile[], decision: Decision): void {
  const replaced = new Set<number>()
  for (const { entry, photoId } of asked) {
    if (decision === 'skip') {
      endEntry(entry, 'leftOut', { reason: 'skipped' })
      continue
    }
    if (decision === 'replace' && photoId !== null && !replaced.has(photoId)) {
      entry.replaces = photoId
      replaced.add(photoId)
    }
    getInternals(entry).sameName = null
    markReady(entry)
  }
  storeEntries(asked.map(({ entry }) => entry).filter(({ state }) => state === 'ready'))
  updateUploads()
  startWork()
}

/** `undone`: photos that have their earlier files again. `ended`: these, and those whose replacement cannot be undone any more. */
type Undone = { undone: number; ended: number[] }

/** Gives the photos their earlier files again, unless they have other files by now. */
export async function undoReplacements(eventId: number, photos: readonly ReplacedPhoto[]): Promise<Undone> {
  const undone = new Set<number>()
  const impossible = new Set<number>()
  for (const { id: photo_id, filename } of photos) {
    const params = { path: { event_id: eventId, photo_id }, query: { filename } }
    const call = unwrap(api.POST('/api/admin/photos/{event_id}/photos/{photo_id}/undo-replacement', { params }))
    await call.then(
      () => undone.add(photo_id),
      // The photo has another file by now, is deleted, or its earlier file is not kept any more.
      (error) => error instanceof ApiError && [404, 409].includes(error.status) && impossible.add(photo_id),
    )
  }
  for (const entry of getUploads().entries) {
    const isUndone = entry.eventId === eventId && entry.state === 'added' && undone.has(entry.replaces ?? 0)
    const why = entry.keepsVersions ? t('whyUndoneVersion') : null
    if (isUndone) endEntry(entry, 'leftOut', { reason: 'undone', why })
  }
  const ended = new Set([...undone, ...impossible])
  await forgetReplaced(eventId, ended)
  refreshEvent(eventId, { isImmediate: true })
  return { undone: undone.size, ended: [...ended] }
}

/** A report that is opened after a reload no longer has these replacements. */
async function forgetReplaced(eventId: number, ids: ReadonlySet<number>): Promise<void> {
  const stored = await loadStoredReport(eventId, getUploader())
  if (!stored) return
  const replaced = stored.report.replaced?.filter(({ id }) => !ids.has(id)) ?? []
  const isEmpty = stored.report.groups.length + stored.repeated.length + replaced.length === 0
  if (isEmpty) deleteStoredReport(eventId, getUploader())
  else storeReport(eventId, getUploader(), { ...stored, report: { ...stored.report, replaced } })
}
