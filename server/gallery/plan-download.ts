import type { DownloadEstimate } from '../../contract/gallery-downloads.ts'
import { type ChosenPhoto, choosePhotos, type PhotoChoice } from '../photos/choose-photos.ts'
import { type Gathering, gatherForGuests } from '../photos/gather-for-guests.ts'
import { requestRenditionsSoon } from '../photos/ready-renditions.ts'
import { gatherOriginals, type PhotoArchive, zipFiles } from '../photos/zip-photos.ts'
import { AppError } from '../platform/app-error.ts'
import type { GalleryContext } from './gallery-context.ts'
import type { OpenGallery } from './open-gallery.ts'
import { assertZipAllowed, mayDownload } from './viewing-rules.ts'

export type PlannedDownload = {
  gathering: Gathering
  /** Photos that the guest sees but may not download, because of their category. */
  withheldCount: number
  archive: PhotoArchive
}

const askAgainSeconds = 5

/** Queues missing renditions with priority. Throws the errors of `assertZipAllowed`. */
export async function planDownload(
  ctx: GalleryContext,
  { event, viewer }: OpenGallery,
  choice: PhotoChoice,
): Promise<PlannedDownload> {
  assertZipAllowed(event, viewer, ctx.clock.now())
  const chosen = await choosePhotos(ctx, event.id, choice)
  const isGuest = viewer.kind === 'guest'
  const photos = isGuest ? chosen.filter((photo) => mayDownload(event, photo)) : chosen
  const gathering = isGuest
    ? await gatherForGuests(ctx, ctx.renditions, event, photos)
    : { ...(await gatherOriginals(ctx, event, photos)), unready: [] }
  if (gathering.unready.length > 0) requestRenditionsSoon(ctx, event.id)
  return { gathering, withheldCount: chosen.length - photos.length, archive: zipFiles(ctx, event, gathering) }
}

/**
 * Throws DOWNLOAD_PREPARING with both counts, DOWNLOAD_DISABLED if all photos are withheld, NO_PHOTOS if there are
 * none.
 */
export function assertReady({ gathering, withheldCount, archive }: PlannedDownload): void {
  const { files, unready } = gathering
  if (unready.length > 0) {
    throw new AppError('DOWNLOAD_PREPARING', {
      retryAfterSeconds: askAgainSeconds,
      body: { ready_count: files.length, count: files.length + unready.length },
    })
  }
  if (archive.photoCount > 0) return
  throw new AppError(withheldCount > 0 ? 'DOWNLOAD_DISABLED' : 'NO_PHOTOS')
}

/** While renditions are missing, each counts with the average of the ready ones, or the size of its original. */
export function estimateOf({ gathering, withheldCount, archive }: PlannedDownload): DownloadEstimate {
  const { files, missing, unready } = gathering
  const count = files.length + unready.length
  return {
    count,
    bytes: count === 0 ? 0 : archive.sizeBytes + guessedBytes(gathering),
    ready: unready.length === 0,
    ready_count: files.length,
    missing: missing.length,
    withheld: withheldCount,
  }
}

function guessedBytes({ files, unready }: Gathering): number {
  const made = sum(files.map(({ sizeBytes }) => sizeBytes))
  if (files.length > 0) return Math.round((made / files.length) * unready.length)
  return sum(unready.map((photo: ChosenPhoto) => photo.size_bytes))
}

const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0)
