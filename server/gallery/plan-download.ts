import type { DownloadEstimate } from '../../contract/gallery/gallery-downloads.ts'
import { type CollectedFiles, collectGuestFiles } from '../downloads/collect-guest-files.ts'
import { collectOriginals, type PhotoArchive, zipFiles } from '../downloads/zip-photos.ts'
import type { OpenGallery } from '../gallery-access/open-gallery-request.ts'
import { assertZipAllowed, canDownload } from '../gallery-access/viewing-rules.ts'
import { type ChosenPhoto, choosePhotos, type PhotoChoice } from '../photos/lists/choose-photos.ts'
import { findKeptJpeg } from '../photos/photo-files.ts'
import { guestProfile, isWider } from '../photos/renditions/guest-profile.ts'
import { requestRenditionsSoon } from '../photos/renditions/rendition-rows.ts'
import { standardWidths } from '../photos/renditions/rendition-rules.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { GalleryContext } from './gallery-context.ts'

/** `widthPx`: the width of smaller pictures, or null for full size. `hasFolders`: a folder for each category. */
export type DownloadOptions = { widthPx: number | null; hasFolders: boolean }

export type PlannedDownload = {
  gathering: CollectedFiles
  /** Photos that the guest sees but may not download, because of their category. */
  withheldCount: number
  archive: PhotoArchive
  /** The widths that make at least one picture smaller. */
  widths: number[]
}

const preparingRetrySeconds = 5

/** Queues missing renditions with priority. Throws the errors of `assertZipAllowed` and `choosePhotos`. */
export async function planDownload(
  ctx: GalleryContext,
  { event, viewer }: OpenGallery,
  choice: PhotoChoice,
  { widthPx, hasFolders }: DownloadOptions,
): Promise<PlannedDownload> {
  assertZipAllowed(event, viewer, ctx.clock.now())
  const isGuest = viewer.kind === 'guest'
  const chosen = await choosePhotos(ctx, event.id, choice)
  const photos = isGuest ? chosen.filter((photo) => canDownload(event, photo)) : chosen
  const gathering = isGuest
    ? await collectGuestFiles(ctx, ctx.renditions, event, photos, widthPx)
    : { ...(await collectOriginals(ctx, event, photos)), pending: [] }
  if (gathering.pending.length > 0) requestRenditionsSoon(ctx, { eventId: event.id, widthPx })
  const profile = guestProfile(event, await ctx.settings.values())
  const isSmaller = (width: number) => photos.some((photo) => isWider(profile, photo, width))
  return {
    gathering,
    withheldCount: chosen.length - photos.length,
    archive: zipFiles(ctx, event, gathering, { hasFolders }),
    widths: isGuest ? standardWidths.filter(isSmaller) : [],
  }
}

/**
 * Throws DOWNLOAD_PREPARING while photos are pending, with the number of ready photos and of ready and pending photos.
 * Throws DOWNLOAD_DISABLED if the ZIP is empty and photos were withheld, or NO_PHOTOS if no photos were withheld.
 */
export function assertDownloadReady({ gathering, withheldCount, archive }: PlannedDownload): void {
  const { files, pending } = gathering
  if (pending.length > 0) {
    throw new AppError('DOWNLOAD_PREPARING', {
      retryAfterSeconds: preparingRetrySeconds,
      body: { ready_count: files.length, count: files.length + pending.length },
    })
  }
  if (archive.photoCount > 0) return
  throw new AppError(withheldCount > 0 ? 'DOWNLOAD_DISABLED' : 'NO_PHOTOS')
}

/** A pending photo counts with the average size of the ready files or, without any, the size of the file that it is made of. */
export function estimateDownload({ gathering, withheldCount, archive, widths }: PlannedDownload): DownloadEstimate {
  const { files, missing, pending } = gathering
  const photos = [...files.map(({ photo }) => photo), ...pending]
  const count = photos.length
  return {
    count,
    video_count: photos.filter(({ media_type }) => media_type === 'video').length,
    bytes: count === 0 ? 0 : archive.sizeBytes + estimateMissingBytes(gathering),
    ready: pending.length === 0,
    ready_count: files.length,
    missing: missing.length,
    withheld: withheldCount,
    widths,
  }
}

function estimateMissingBytes({ files, pending }: CollectedFiles): number {
  const readyBytes = sum(files.map(({ sizeBytes }) => sizeBytes))
  if (files.length > 0) return Math.round((readyBytes / files.length) * pending.length)
  return sum(pending.map((photo: ChosenPhoto) => findKeptJpeg(photo)?.sizeBytes ?? photo.size_bytes))
}

const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0)
