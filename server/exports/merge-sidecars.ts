import { open } from 'node:fs/promises'
import type { TranslateCatalog } from '../../locales/catalogs.ts'
import { sanitizeOriginalName } from '../photos/photo-files.ts'
import { createKeyedMutex } from '../platform/background/keyed-mutex.ts'
import { ImageWorkerLost } from '../platform/media/image-workers.ts'
import { createFileReader } from '../platform/storage/byte-readers.ts'
import type { FormFile } from '../platform/storage/received-file.ts'
import type { XmpRejection } from '../platform/xmp/rejected-xmp.ts'
import type { AppContext } from '../settings/app-context.ts'
import type { ExportedMarks } from './exported-marks.ts'
import { type MatchProblem, matchSidecars } from './match-sidecars.ts'
import { createSidecarFiles, type SidecarFile, type SidecarOptions, toBody, toXmpChange } from './xmp-sidecars.ts'

type LeftOut = { name: string; problem: MatchProblem | XmpRejection }

/** An account has one sidecar in an image worker at a time. */
const inTurn = createKeyedMutex()

/**
 * Writes the marks and instructions of the photos into their existing sidecars, in staging. Returns these, new ones for photos without a
 * sidecar, and a list of the sidecars that are left out. The staged files must exist while the result is read.
 */
export async function mergeSidecars(
  ctx: AppContext,
  photos: readonly ExportedMarks[],
  existing: readonly FormFile[],
  { userId, t, ...options }: SidecarOptions & { userId: number; t: TranslateCatalog<'exports'> },
): Promise<{ files: SidecarFile[]; leftOutCount: number }> {
  const { matched, unmatched, ambiguous } = matchSidecars(photos, existing)
  const leftOut: LeftOut[] = unmatched.map(({ sidecar, problem }) => ({ name: sidecar.clientName, problem }))
  const merged: SidecarFile[] = []
  for (const { photo, sidecar } of matched) {
    const result = await inTurn(String(userId), () => mergeOne(ctx, photo, sidecar, options))
    if (typeof result === 'string') leftOut.push({ name: sidecar.clientName, problem: result })
    else merged.push(result)
  }
  // A new sidecar in the place of one that is left out would lose the develop settings.
  const taken = new Set(matched.map(({ photo }) => photo))
  const withoutSidecar = photos.filter((photo) => !taken.has(photo) && !ambiguous.has(photo))
  const files = [...merged, ...createSidecarFiles(withoutSidecar, options)]
  if (leftOut.length > 0) files.push({ name: t('notMergedFile'), ...toBody(listLeftOut(leftOut, t)) })
  return { files, leftOutCount: leftOut.length }
}

async function mergeOne(
  { imageWorkers, log }: AppContext,
  photo: ExportedMarks,
  { path: sourcePath, clientName }: FormFile,
  options: SidecarOptions,
): Promise<SidecarFile | XmpRejection> {
  try {
    // The mark that a pick is converted to must not replace a mark of the photographer.
    const onlyMissing = {
      rating: photo.rating !== null && photo.marks.rating === null,
      label: photo.colorLabel !== null && photo.marks.color_label === null,
    }
    const task = { kind: 'merge-sidecar', sourcePath, change: toXmpChange(photo, options), onlyMissing } as const
    const result = await imageWorkers.run(task, 'low')
    if (result.outcome !== 'made') return 'structure'
    if ('rejection' in result.facts) return result.facts.rejection
    const { sizeBytes, crc32 } = result.facts.merged
    const name = sanitizeOriginalName(clientName, '.xmp')
    return { name, sizeBytes, crc32, open: async (part) => createFileReader(await open(sourcePath), part) }
  } catch (error) {
    if (!(error instanceof ImageWorkerLost)) throw error
    log.warn('An image worker failed while merging a sidecar')
    return 'structure'
  }
}

function listLeftOut(leftOut: readonly LeftOut[], t: TranslateCatalog<'exports'>): string {
  const lines = [...Map.groupBy(leftOut, ({ problem }) => problem)].flatMap(([problem, files]) => [
    '',
    t(`notMerged_${problem}`),
    ...files.map(({ name }) => `  ${sanitizeOriginalName(name, '')}`).sort(),
  ])
  return `${[t('notMerged'), ...lines].join('\r\n')}\r\n`
}
