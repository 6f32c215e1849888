import type { EventRow } from '../events/event-rows.ts'
import type { ChosenPhoto } from '../photo-lists/choose-photos.ts'
import { deleteRenditionRows } from '../photos/drop-renditions.ts'
import { findLocationRows } from '../photos/location-rows.ts'
import { originalsPrefix, renditionPrefix } from '../photos/photo-files.ts'
import { fullSizeRequest, guestProfile } from '../renditions/guest-profile.ts'
import { findReadyRenditions, type RenditionRequest } from '../renditions/rendition-rows.ts'
import type { Renditions } from '../renditions/renditions.ts'
import type { AppContext } from '../settings/app-context.ts'
import {
  type ArchiveFile,
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
  /** Photos whose full-size rendition is not made yet. */
  pending: ChosenPhoto[]
}

/** Queries the database for a single photo only if the location of the photo is not recorded. */
export async function collectGuestFiles(
  ctx: AppContext,
  renditions: Renditions,
  event: EventRow,
  photos: readonly ChosenPhoto[],
): Promise<CollectedFiles> {
  const profile = guestProfile(event, await ctx.settings.values())
  const requests = new Map(photos.map((photo) => [photo.id, fullSizeRequest(profile, photo)]))
  const sizes = await listStoredSizes(ctx.storage, originalsPrefix(event.id))
  const originals = photos.flatMap((photo) => findOriginalFile(ctx, photo, sizes) ?? [])
  const unmodified = originals.filter(({ photo }) => !requests.get(photo.id))
  const sent = event.strip_location === 1 ? await stripLocations(ctx, event, unmodified) : unmodified
  const found = new Map(
    [...sent, ...(await findRenditionFiles(ctx, event, photos, requests))].map((file) => [file.photo, file]),
  )

  const available = new Set(originals.map(({ photo }) => photo))
  const collected: CollectedFiles = { files: [], missing: [], pending: [] }
  for (const photo of photos) {
    const file = found.get(photo)
    const canBeRendered = requests.get(photo.id) && available.has(photo) && !renditions.hasFailed(photo)
    if (file) collected.files.push(file)
    else if (canBeRendered) collected.pending.push(photo)
    else collected.missing.push(photo)
  }
  return collected
}

/** Leaves out files whose location data cannot be removed. */
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
  const request = requests.get(renderedPhotos[0]?.id ?? 0)
  if (!request) return []
  const ids = renderedPhotos.map(({ id }) => id)
  // Reads rows before files. In the other order, a rendition that is made in between would look missing.
  const ready = await findReadyRenditions(ctx.db, event.id, ids, request)
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
