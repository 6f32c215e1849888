import type { Photo, Proofroom } from '../../../clients/typescript/source/index.ts'
import type { ColorLabel } from '../../../contract/color-labels.ts'
import type { MarkSource } from '../../../contract/marks.ts'
import type { LabelNames } from '../../feedback/label-names.ts'
import { decideMarks, type Marks, type Preference } from './decide-marks.ts'
import { readEmbeddedMarks } from './embedded-marks.ts'
import { matchShots } from './match-shots.ts'
import { formatIdentity, type KnownShot, learnShot } from './shot-facts.ts'
import { findShots } from './shots.ts'
import { describeFileError, writeSidecar } from './sidecar-files.ts'
import { createSyncReport, type SyncReport } from './sync-report.ts'
import { openSyncState, type SyncState } from './sync-state.ts'
import { walkFolder } from './walk-folder.ts'

export type SyncOptions = {
  eventId: number
  /** The host of the service, part of the identity in sidecars. */
  host: string
  folder: string
  markSource: MarkSource
  prefer: Preference
  labels: LabelNames
  /** For photos with a like or a favorite that have no rating or no color. */
  unratedAs: number | null
  unlabeledAs: ColorLabel | null
  /** Whether new sidecars are named `IMG.CR3.xmp` instead of `IMG.xmp`. */
  hasFullNames: boolean
  /** Only photos whose marks have changed in the service since the last sync. */
  onlyChanged: boolean
  isDryRun: boolean
  isPush: boolean
  onProgress: (progress: { done: number; total: number; path: string }) => void
  isStopped: () => boolean
}

/**
 * Writes the marks of an event into the sidecars of a folder of originals, or with `isPush` the other way round. Throws
 * ProofroomError.
 */
export async function syncFolder(service: Proofroom, options: SyncOptions): Promise<SyncReport> {
  const { eventId, host, folder, markSource, isDryRun, onProgress, isStopped } = options
  const report = createSyncReport(eventId)
  const photos = new Map<number, Photo>()
  for await (const photo of service.photos.list(eventId, { limit: 100, mark_source: markSource })) {
    photos.set(photo.id, photo)
  }
  report.photos = photos.size
  const state = await openSyncState(folder, host, eventId)
  const files = await walkFolder(folder, (path) => report.failed.push({ path, reason: 'The folder cannot be read.' }))
  const shots: KnownShot[] = []
  for (const shot of findShots(files)) shots.push(await learnShot(shot, { host, eventId, state }))
  const { matched, ambiguous } = await matchShots([...photos.values()], shots)
  report.ambiguous = ambiguous.map(({ shots: several, photoIds }) => ({
    paths: several.map(({ path }) => path),
    photo_ids: photoIds,
  }))

  const inOrder = matched.toSorted((a, b) => (a.shot.path < b.shot.path ? -1 : 1))
  for (const [index, { shot, photoId, by }] of inOrder.entries()) {
    if (isStopped()) break
    const photo = photos.get(photoId) as Photo
    onProgress({ done: index, total: matched.length, path: shot.path })
    report.matched[by]++
    // A sidecar that cannot be edited is neither overwritten nor joined by another one.
    if (shot.rejected.length > 0) report.failed.push(...shot.rejected)
    else if (options.isPush) await pushMarks(service, shot, photo, options, report)
    else await pullMarks(shot, photo, options, state, report)
  }
  onProgress({ done: matched.length, total: matched.length, path: '' })
  const found = new Set([...matched.map(({ photoId }) => photoId), ...ambiguous.flatMap(({ photoIds }) => photoIds)])
  for (const photo of photos.values()) {
    const { rating, color } = toMarks(photo, options)
    if (!found.has(photo.id) && (rating !== null || color !== null)) {
      report.missing.push({ photo_id: photo.id, name: photo.source_filename })
    }
  }
  if (!isDryRun) await state.save()
  return report
}

function toMarks(photo: Photo, { unratedAs, unlabeledAs }: SyncOptions): Marks {
  const isPicked = photo.favorite_count > 0 || photo.like_count > 0
  return {
    rating: photo.rating ?? (isPicked ? unratedAs : null),
    color: photo.color_label ?? (isPicked ? unlabeledAs : null),
  }
}

const noMarks: Marks = { rating: null, color: null }

async function pullMarks(
  shot: KnownShot,
  photo: Photo,
  options: SyncOptions,
  state: SyncState,
  report: SyncReport,
): Promise<void> {
  const theirs = toMarks(photo, options)
  const last = state.find(photo.id)
  if (options.onlyChanged && last && last.rating === theirs.rating && last.color === theirs.color) return
  const mine = shot.mine ?? noMarks
  // A file without a sidecar is new here, or a new copy.
  const base = shot.mine === null ? null : last
  const { write, kept, conflicts } = decideMarks({ base, mine, theirs }, options.prefer)
  const difference = { path: shot.path, photo_id: photo.id, file: mine, service: theirs }
  if (conflicts.length > 0) report.conflicts.push(difference)
  else if (kept.length > 0) report.kept.push(difference)

  const isNothing = Object.keys(write).length === 0
  const targets = isNothing ? [] : findTargets(shot, options)
  if (!isNothing && targets.length === 0) {
    report.without_sidecar.push(shot.path)
    return
  }
  const change = { write, labels: options.labels, identity: formatIdentity(options.host, options.eventId, photo.id) }
  for (const { path, absolutePath } of targets) {
    try {
      if (options.isDryRun || (await writeSidecar(absolutePath, change))) report.written.push(path)
    } catch (error) {
      report.failed.push({ path, reason: describeFileError(error) })
      return
    }
  }
  state.set(photo.id, theirs)
}

/** Returns the sidecars that exist, and new ones for raw files without one. */
function findTargets(
  shot: KnownShot,
  { hasFullNames, folder }: SyncOptions,
): Array<{ path: string; absolutePath: string }> {
  const targets = new Map(shot.sidecars.map(({ sidecar }) => [sidecar.path, sidecar.absolutePath]))
  for (const raw of shot.raws) {
    if (shot.sidecars.some(({ of }) => of === raw)) continue
    const path = `${hasFullNames ? raw.path : raw.path.replace(/\.[^./]*$/, '')}.xmp`
    targets.set(path, `${folder}/${path}`)
  }
  return Array.from(targets, ([path, absolutePath]) => ({ path, absolutePath }))
}

/** The marks of the file become those of the account, unless the file has none. */
async function pushMarks(
  service: Proofroom,
  shot: KnownShot,
  photo: Photo,
  { eventId, isDryRun }: SyncOptions,
  report: SyncReport,
): Promise<void> {
  const { rating, color } = shot.mine ?? (await readEmbeddedMarks(shot)) ?? noMarks
  const body = {
    ...(rating !== null && rating > 0 && rating !== photo.my_rating && { rating }),
    ...(color !== null && color !== photo.my_color_label && { color_label: color }),
  }
  if (Object.keys(body).length === 0) return
  if (!isDryRun) await service.photos.mark(eventId, photo.id, body)
  report.pushed.push({ path: shot.path, photo_id: photo.id })
}
