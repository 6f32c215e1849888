import { must } from '../../contract/must.ts'
import type { EventRow } from '../events/event-rows.ts'
import { deleteRenditionRows } from '../photos/drop-renditions.ts'
import type { ChosenPhoto } from '../photos/lists/choose-photos.ts'
import { findLocationRows } from '../photos/location-rows.ts'
import { findKeptJpeg, originalsPrefix, renditionPrefix, stillsPrefix } from '../photos/photo-files.ts'
import { downloadRequest, guestProfile } from '../photos/renditions/guest-profile.ts'
import { findReadyRenditions, type ReadyRendition, type RenditionRequest } from '../photos/renditions/rendition-rows.ts'
import type { Renditions } from '../photos/renditions/renditions.ts'
import type { AppContext } from '../settings/app-context.ts'
import {
  type ArchiveFile,
  findJpegFile,
  findOriginalFile,
  findRenditionFile,
  listStoredSizes,
  stripLocation,
} from './archive-files.ts'
import { getPhotoLocation } from './find-photo-location.ts'

/** Each list has the order of the photos. */
export type CollectedFiles = {
  files: ArchiveFile[]
  /** Photos whose file is missing, cannot be rendered, or has location data that cannot be removed. */
  missing: ChosenPhoto[]
  /** Photos whose rendition is not made yet. */
  pending: ChosenPhoto[]
}

/**
 * `widthPx`: sends wider pictures in this width; null for full size. Queries the database for a single photo only if the location of
 * the photo is not recorded.
 */
export async function collectGuestFiles(
  ctx: AppContext,
  renditions: Renditions,
  event: EventRow,
  photos: readonly ChosenPhoto[],
  widthPx: number | null,
): Promise<CollectedFiles> {
  const profile = guestProfile(event, await ctx.settings.values())
  const requests = new Map(photos.map((photo) => [photo.id, downloadRequest(profile, photo, widthPx)]))
  const sources = await findSources(ctx, event, photos)
  const unmodified = sources.filter(({ photo }) => !requests.get(photo.id))
  const sent = event.strip_location === 1 ? await stripLocations(ctx, event, unmodified) : unmodified
  const found = new Map(
    [...sent, ...(await findRenditionFiles(ctx, event, photos, requests))].map((file) => [file.photo, file]),
  )

  const available = new Set(sources.map(({ photo }) => photo))
  const collected: CollectedFiles = { files: [], missing: [], pending: [] }
  for (const photo of photos) {
    const file = found.get(photo)
    const request = requests.get(photo.id)
    const canBeRendered = request && available.has(photo) && !renditions.hasFailed(photo, request)
    if (file) collected.files.push(file)
    else if (canBeRendered) collected.pending.push(photo)
    else collected.missing.push(photo)
  }
  return collected
}

/** Returns the kept JPEG of each photo that has one, and the originals of the others. Leaves out missing files. */
async function findSources(ctx: AppContext, event: EventRow, photos: readonly ChosenPhoto[]): Promise<ArchiveFile[]> {
  const originalSizes = await listStoredSizes(ctx.storage, originalsPrefix(event.id))
  const hasJpegs = photos.some((photo) => findKeptJpeg(photo))
  const jpegSizes = hasJpegs ? await listStoredSizes(ctx.storage, stillsPrefix(event.id)) : new Map()
  return photos.flatMap((photo) => {
    const jpeg = findKeptJpeg(photo)
    return (jpeg ? findJpegFile(ctx, photo, jpeg, jpegSizes) : findOriginalFile(ctx, photo, originalSizes)) ?? []
  })
}

/** Leaves out files whose location data cannot be removed. Kept JPEGs have none. */
async function stripLocations(
  ctx: AppContext,
  event: EventRow,
  originals: readonly ArchiveFile[],
): Promise<ArchiveFile[]> {
  const ids = originals.map(({ photo }) => photo.id)
  const known = await findLocationRows(ctx.db, event.id, ids)
  const stripped: ArchiveFile[] = []
  for (const original of originals) {
    const { photo } = original
    if (findKeptJpeg(photo)) {
      stripped.push(original)
      continue
    }
    const row = known.get(photo.id)
    const location = row?.content_hash === photo.content_hash ? row : await getPhotoLocation(ctx, photo)
    const file = stripLocation(original, location)
    if (file) stripped.push(file)
  }
  return stripped
}

/** Deletes rows of renditions whose file is missing or has another size, so that they are made again. */
async function findRenditionFiles(
  ctx: AppContext,
  event: EventRow,
  photos: readonly ChosenPhoto[],
  requests: ReadonlyMap<number, RenditionRequest | null>,
): Promise<ArchiveFile[]> {
  const renderedPhotos = photos.filter(({ id }) => requests.get(id))
  if (renderedPhotos.length === 0) return []
  // Reads rows before files. In the other order, a rendition that is made in between would look missing.
  const ready = await findRequested(ctx, event.id, renderedPhotos, requests)
  const sizes = await listStoredSizes(ctx.storage, renditionPrefix(event.id))
  const files: ArchiveFile[] = []
  const missingFilenames: string[] = []
  for (const photo of renderedPhotos) {
    const rendition = ready.get(photo.id)
    const file = rendition && findRenditionFile(ctx, photo, rendition, sizes)
    if (file) files.push(file)
    else if (rendition) missingFilenames.push(rendition.filename)
  }
  await deleteRenditionRows(ctx, missingFilenames)
  return files
}

/** The requests of one download differ only in `bound_px`. */
async function findRequested(
  { db }: AppContext,
  eventId: number,
  photos: readonly ChosenPhoto[],
  requests: ReadonlyMap<number, RenditionRequest | null>,
): Promise<Map<number, ReadyRendition>> {
  const found = new Map<number, ReadyRendition>()
  for (const some of Map.groupBy(photos, ({ id }) => requests.get(id)?.bound_px).values()) {
    const request = must(requests.get(some[0]?.id ?? 0), 'the request of a photo')
    const ids = some.map(({ id }) => id)
    for (const [id, row] of await findReadyRenditions(db, eventId, ids, request)) found.set(id, row)
  }
  return found
}
