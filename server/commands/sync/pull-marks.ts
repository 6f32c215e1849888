import type { Photo } from '../../../clients/typescript/source/index.ts'
import { formatSyncedMarks } from '../../feedback/marks/synced-marks.ts'
import { choosePreferred, type Decision, decideMarks, type Marks, noMarks, type Side } from './decide-marks.ts'
import { writeEmbedded } from './embedded-files.ts'
import type { MarkChange } from './file-marks.ts'
import type { GuestTexts } from './guest-texts.ts'
import { formatIdentity, type KnownShot } from './shot-facts.ts'
import { describeFileError, writeSidecar } from './sidecar-files.ts'
import type { SyncOptions } from './sync-options.ts'
import type { SyncReport } from './sync-report.ts'
import type { SyncedPhoto, SyncState } from './sync-state.ts'
import { findTargets, type Target } from './targets.ts'

type Pulled = { shot: KnownShot; photo: Photo; texts: GuestTexts }

/** Writes the marks of a photo into the files of its shot. */
export async function pullMarks(
  { shot, photo, texts }: Pulled,
  options: SyncOptions,
  state: SyncState,
  report: SyncReport,
): Promise<void> {
  const theirs = toServiceMarks(photo, options)
  const last = state.find(photo.id)
  const words = Object.keys(texts).length === 0 ? (last?.words ?? '') : JSON.stringify(texts)
  const isUnchanged = last?.rating === theirs.rating && last.color === theirs.color && (last.words ?? '') === words
  if (options.onlyChanged && isUnchanged) return

  if (options.isEmbedding) report.failed.push(...shot.rejectedPictures)
  const targets = findTargets(shot, options)
  const decisions = (targets.length === 0 ? shot.embedded.map(toUnwritable) : targets).map((target) =>
    decide(target, { theirs, last, serviceAt: findServiceTime(photo, options), options }),
  )
  if (targets.length === 0) {
    const isMissing = decisions.length === 0 ? theirs.rating !== null || theirs.color !== null : decisions.some(writes)
    if (isMissing) report.without_sidecar.push(shot.path)
    if (isMissing || decisions.length === 0) return
  } else {
    reportDifferences(decisions, { path: shot.path, photo_id: photo.id, service: theirs }, report)
    for (const decision of decisions) {
      if (!(await writeTarget(decision, { photo, texts, options, report }))) return
    }
  }
  const undecided = new Set(decisions.flatMap(findUndecided))
  const marks = {
    rating: undecided.has('rating') ? (last?.rating ?? null) : theirs.rating,
    color: undecided.has('color') ? (last?.color ?? null) : theirs.color,
  }
  state.set(photo.id, { ...marks, at: chooseTime(decisions, { last, marks }), ...(words !== '' && { words }) })
}

export function toServiceMarks(photo: Photo, { unratedAs, unlabeledAs }: SyncOptions): Marks {
  const isPicked = photo.favorite_count > 0 || photo.like_count > 0
  return {
    rating: photo.rating ?? (isPicked ? unratedAs : null),
    color: photo.color_label ?? (isPicked ? unlabeledAs : null),
  }
}

/** Returns when the marks of the chosen source were last set, or null. */
function findServiceTime(photo: Photo, { markSource }: SyncOptions): number | null {
  const client = markSource === 'mine' ? null : photo.client_marked_at
  const mine = markSource === 'client' ? null : photo.my_marked_at
  const times = [client, mine].flatMap((time) => (time ? [Date.parse(time)] : []))
  return times.length === 0 ? null : Math.max(...times)
}

type TargetDecision = Decision & { target: Target; mine: Marks; prefer: Side | null }

const toUnwritable = ({ file, found }: KnownShot['embedded'][number]): Target => ({
  ...file,
  of: file,
  isEmbedded: true,
  found,
})

function decide(
  target: Target,
  known: { theirs: Marks; last: SyncedPhoto | null; serviceAt: number | null; options: SyncOptions },
): TargetDecision {
  const { theirs, last, serviceAt, options } = known
  const { found, isEmbedded, modifiedAt } = target
  const mine = found?.marks ?? noMarks
  // A new file, or a new copy. A picture has a packet for other reasons, so its marks or our identity must be there.
  const isNew = found === null || (isEmbedded && found.identity === null && mine.rating === null && mine.color === null)
  const base = isNew ? null : last
  const changedAt = found?.changedAt ?? null
  const prefer = choosePreferred(options.prefer, { changedAt, modifiedAt, syncedAt: base?.at ?? null, serviceAt })
  return { target, mine, prefer, ...decideMarks({ base, mine, theirs }, prefer) }
}

const writes = ({ write }: Decision): boolean => Object.keys(write).length > 0
const findUndecided = ({ conflicts, prefer }: TargetDecision): Array<keyof Marks> => (prefer === null ? conflicts : [])

/** Reports a shot once, with the marks of the first file that differs. */
function reportDifferences(
  decisions: readonly TargetDecision[],
  about: { path: string; photo_id: number; service: Marks },
  report: SyncReport,
): void {
  const conflict = decisions.find(({ conflicts }) => conflicts.length > 0)
  const kept = decisions.find((decision) => decision.kept.length > 0)
  const found = conflict ?? kept
  if (!found) return
  const difference = { ...about, file: found.mine }
  if (!conflict) report.kept.push(difference)
  else if (findUndecided(conflict).length > 0) report.undecided.push(difference)
  else report.conflicts.push(difference)
}

/** Returns false if it has failed, which the report says. */
async function writeTarget(
  { target, write }: TargetDecision,
  { photo, texts, options, report }: { photo: Photo; texts: GuestTexts; options: SyncOptions; report: SyncReport },
): Promise<boolean> {
  const { path, isEmbedded, found } = target
  const { host, eventId, labels, isDryRun } = options
  const identity = formatIdentity(host, eventId, photo.id)
  const change: MarkChange = { ...texts, write, labels, identity, synced: noteSynced(write, photo, found) }
  try {
    const isWritten = isEmbedded
      ? await writeEmbedded(target, change, isDryRun)
      : await writeSidecar(target, change, { isDryRun, of: target.of })
    if (isWritten) (isEmbedded ? report.embedded : report.written).push(path)
    return true
  } catch (error) {
    report.failed.push({ path, reason: describeFileError(error) })
    return false
  }
}

/** Marks that are also own marks of the account are not recorded as those of guests. */
function noteSynced(write: Partial<Marks>, photo: Photo, found: Target['found']): string {
  const { rating = null, color = null } = write
  const before = found?.synced
  return formatSyncedMarks({
    rating: write.rating === undefined ? (before?.rating ?? null) : rating === photo.my_rating ? null : rating,
    color_label:
      write.color === undefined ? (before?.color_label ?? null) : color === photo.my_color_label ? null : color,
  })
}

/** If nothing has changed, the time does not change either, so that such a sync writes nothing. */
function chooseTime(
  decisions: readonly TargetDecision[],
  { last, marks }: { last: SyncedPhoto | null; marks: Marks },
): number {
  const at = last?.at
  const isSame = last?.rating === marks.rating && last.color === marks.color && !decisions.some(writes)
  const isOlder = decisions.every(
    ({ target }) => target.modifiedAt === null || (at !== undefined && target.modifiedAt <= at),
  )
  return at !== undefined && isSame && isOlder ? at : Date.now()
}
