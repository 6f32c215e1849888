import type { Photo, Proofroom } from '../../../clients/typescript/source/index.ts'
import { withRegularFile } from '../../platform/storage/untrusted-files.ts'
import { readXmpMarks } from '../../platform/xmp/read-xmp.ts'
import { type Marks, noMarks } from './decide-marks.ts'
import { canEmbed } from './embedded-files.ts'
import { toMarks } from './file-marks.ts'
import type { KnownShot } from './shot-facts.ts'
import type { SyncOptions } from './sync-options.ts'
import type { SyncReport } from './sync-report.ts'

/**
 * The marks of the file become those of the account, unless the file has none. Marks of guests that a sync has written
 * into the file are not those of the account. Throws ProofroomError.
 */
export async function pushMarks(
  service: Proofroom,
  shot: KnownShot,
  photo: Photo,
  { eventId, isDryRun }: Pick<SyncOptions, 'eventId' | 'isDryRun'>,
  report: SyncReport,
): Promise<void> {
  const { rating, color } = await findOwnMarks(shot)
  const body = {
    ...(rating !== null && rating > 0 && rating !== photo.my_rating && { rating }),
    ...(color !== null && color !== photo.my_color_label && { color_label: color }),
  }
  if (Object.keys(body).length === 0) return
  if (!isDryRun) await service.photos.mark(eventId, photo.id, body)
  report.pushed.push({ path: shot.path, photo_id: photo.id })
}

/** Sidecars have priority over the marks inside of pictures. */
async function findOwnMarks({ markedSidecars, embedded, pictures }: KnownShot): Promise<Marks> {
  const inside = embedded.find(({ found }) => found && (found.marks.rating !== null || found.marks.color !== null))
  const found = markedSidecars[0]?.found ?? inside?.found
  if (!found) return (await readOtherPictures(pictures.filter(({ path }) => !canEmbed(path)))) ?? noMarks
  const { marks, synced } = found
  return {
    rating: marks.rating === synced.rating ? null : marks.rating,
    color: marks.color === synced.color_label ? null : marks.color,
  }
}

async function readOtherPictures(pictures: KnownShot['pictures']): Promise<Marks | null> {
  if (pictures.length === 0) return null
  const { default: sharp } = await import('sharp')
  for (const picture of pictures) {
    const metadata = await withRegularFile(picture, (_file, path) => sharp(path).metadata()).catch(() => null)
    const marks = metadata?.xmp ? readXmpMarks(metadata.xmp) : null
    if (marks) return toMarks(marks)
  }
  return null
}
