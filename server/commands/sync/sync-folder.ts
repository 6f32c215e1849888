import { unlink } from 'node:fs/promises'
import { Compile } from 'typebox/compile'
import type { Photo, Proofroom } from '../../../clients/typescript/source/index.ts'
import { withParentFolder } from '../../platform/storage/untrusted-files.ts'
import { t } from '../../platform/text/command-messages.ts'
import { CommandRejected } from '../command-errors.ts'
import { type FolderFile, walkFolder } from '../walk-folder.ts'
import { loadAgreedMarks, toAgreedPhoto } from './agreed-marks.ts'
import { loadGuestTexts } from './guest-texts.ts'
import { matchShots } from './match-shots.ts'
import { pullMarks, toServiceMarks } from './pull-marks.ts'
import { pushMarks } from './push-marks.ts'
import { readBounded } from './read-bounded.ts'
import { type KnownShot, learnShot } from './shot-facts.ts'
import { findShots } from './shots.ts'
import type { SyncOptions } from './sync-options.ts'
import { createSyncReport, type SyncReport } from './sync-report.ts'
import { openSyncState } from './sync-state.ts'
import { SyncablePhoto } from './syncable-photo.ts'

const syncable = Compile(SyncablePhoto)

/**
 * Writes the marks of an event into the files of a folder of originals, or with `isPush` the other way round. Changes
 * nothing when it is stopped while it reads from the service. Throws ProofroomError, and CommandRejected for an answer
 * that cannot be understood or names more than 200,000 photos.
 */
export async function syncFolder(service: Proofroom, options: SyncOptions): Promise<SyncReport> {
  const { eventId, host, folder, markSource, selectionId, isDryRun, onProgress, isStopped } = options
  const report = createSyncReport(eventId)
  const photos = new Map<number, Photo>()
  const list = service.photos.list(eventId, { limit: 100, mark_source: markSource })
  const agreed = selectionId === undefined ? null : await loadAgreedMarks(service, eventId, selectionId)
  report.round = agreed?.round ?? null
  for await (const listed of readBounded(list, { key: 'photos', tooMany: 'tooManyPhotos', isStopped })) {
    if (!syncable.Check(listed)) throw new CommandRejected(t('answerUnclear'))
    const photo = agreed ? toAgreedPhoto(listed, agreed) : listed
    if (photo) photos.set(photo.id, photo)
  }
  report.photos = photos.size
  const textsOf = await loadGuestTexts(service, eventId, options)
  // The lists may have ended early. Incomplete lists must not change files.
  if (isStopped()) return report
  const state = await openSyncState(folder, host, eventId)
  const { files, unfinished } = await walkFolder(folder, ({ path, cause }) =>
    report.failed.push({ path, reason: t(cause === 'too deep' ? 'folderTooDeep' : 'folderUnreadable') }),
  )
  if (!isDryRun) for (const file of unfinished) await remove(file).catch(() => undefined)
  const shots: KnownShot[] = []
  for (const shot of findShots(files)) shots.push(await learnShot(shot, { host, eventId, state }))
  const marksOf = (photo: Photo) => {
    const { rating, color } = toServiceMarks(photo, options)
    return rating === null && color === null ? null : `${rating} ${color}`
  }
  const matchable = [...photos.values()].map((photo) => ({ ...photo, marks: marksOf(photo) }))
  const { matched, ambiguous, partners } = await matchShots(matchable, shots)
  report.ambiguous = ambiguous.map(({ shots: several, photoIds }) => ({
    paths: several.map(({ path }) => path),
    photo_ids: photoIds,
    names: photoIds.map((id) => photos.get(id)?.source_filename ?? ''),
  }))

  const inOrder = matched.toSorted((a, b) => (a.shot.path < b.shot.path ? -1 : 1))
  for (const [index, { shot, photoId, by }] of inOrder.entries()) {
    if (isStopped()) break
    const photo = photos.get(photoId) as Photo
    onProgress({ done: index, total: matched.length, path: shot.path })
    report.matched[by]++
    // A sidecar that cannot be edited is not overwritten, and gets no second one beside it.
    if (shot.rejected.length > 0) report.failed.push(...shot.rejected)
    else if (options.isPush) await pushMarks(service, shot, photo, options, report)
    else await pullMarks({ shot, photo, texts: textsOf(photo.id) }, options, state, report)
  }
  onProgress({ done: matched.length, total: matched.length, path: '' })
  const found = new Set([...matched.map(({ photoId }) => photoId), ...ambiguous.flatMap(({ photoIds }) => photoIds)])
  for (const { id, source_filename, marks } of matchable) {
    if (marks !== null && !found.has(partners.get(id) ?? id)) {
      report.missing.push({ photo_id: id, name: source_filename })
    }
  }
  if (!isDryRun) await state.save()
  return report
}

const remove = (file: FolderFile): Promise<void> => withParentFolder(file, (folder, name) => unlink(folder.at(name)))
