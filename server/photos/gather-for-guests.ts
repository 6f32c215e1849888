import type { EventRow } from '../events/event-rows.ts'
import type { AppContext } from '../settings/app-context.ts'
import type { ChosenPhoto } from './choose-photos.ts'
import { forgetRenditions } from './drop-renditions.ts'
import { originalFile, type PhotoFile, renditionFile, storedSizes, strippedFile } from './files-to-send.ts'
import { getPhotoLocation } from './find-photo-location.ts'
import { fullSizeRequest, guestProfile } from './guest-look.ts'
import { findLocationRows } from './location-rows.ts'
import { originalsPrefix, renditionPrefix } from './photo-files.ts'
import { findReadyRenditions } from './ready-renditions.ts'
import type { RenditionRequest } from './rendition-rows.ts'
import type { Renditions } from './renditions.ts'

/** Each list has the order of the photos. */
export type Gathering = {
  files: PhotoFile[]
  /** Photos whose files are missing or cannot be rendered. */
  missing: ChosenPhoto[]
  /** Photos whose full-size rendition is not made yet. */
  unready: ChosenPhoto[]
}

/**
 * Collects originals (without location data where required) and full-size renditions. The number of queries is
 * independent of the number of photos.
 */
export async function gatherForGuests(
  ctx: AppContext,
  renditions: Renditions,
  event: EventRow,
  photos: readonly ChosenPhoto[],
): Promise<Gathering> {
  const look = guestProfile(event, await ctx.settings.values())
  const requests = new Map(photos.map((photo) => [photo.id, fullSizeRequest(look, photo)]))
  const sizes = await storedSizes(ctx.storage, originalsPrefix(event.id))
  const originals = photos.flatMap((photo) => originalFile(ctx, photo, sizes) ?? [])
  const plain = originals.filter(({ photo }) => !requests.get(photo.id))
  const sent = event.strip_location === 1 ? await strip(ctx, event, plain) : plain
  const found = new Map(
    [...sent, ...(await findPictures(ctx, event, photos, requests))].map((file) => [file.photo, file]),
  )

  const isThere = new Set(originals.map(({ photo }) => photo))
  const gathering: Gathering = { files: [], missing: [], unready: [] }
  for (const photo of photos) {
    const file = found.get(photo)
    const mayBeMade = requests.get(photo.id) && isThere.has(photo) && !renditions.hasFailed(photo)
    if (file) gathering.files.push(file)
    else if (mayBeMade) gathering.unready.push(photo)
    else gathering.missing.push(photo)
  }
  return gathering
}

/** Leaves out files whose location data cannot be removed. */
async function strip(ctx: AppContext, event: EventRow, originals: readonly PhotoFile[]): Promise<PhotoFile[]> {
  const ids = originals.map(({ photo }) => photo.id)
  const known = await findLocationRows(ctx.db, event.id, ids)
  const stripped: PhotoFile[] = []
  for (const original of originals) {
    const { photo } = original
    const row = known.get(photo.id)
    const location = row?.content_hash === photo.content_hash ? row : await getPhotoLocation(ctx, photo)
    const file = strippedFile(original, location)
    if (file) stripped.push(file)
  }
  return stripped
}

/** Deletes rows whose files are missing, so that these renditions are made again. */
async function findPictures(
  ctx: AppContext,
  event: EventRow,
  photos: readonly ChosenPhoto[],
  requests: ReadonlyMap<number, RenditionRequest | null>,
): Promise<PhotoFile[]> {
  const wanting = photos.filter(({ id }) => requests.get(id))
  const wish = requests.get(wanting[0]?.id ?? 0)
  if (!wish) return []
  const ids = wanting.map(({ id }) => id)
  // Rows before files: otherwise a rendition made in between would look missing.
  const ready = await findReadyRenditions(ctx.db, event.id, ids, wish)
  const sizes = await storedSizes(ctx.storage, renditionPrefix(event.id))
  const files: PhotoFile[] = []
  const gone: string[] = []
  for (const photo of wanting) {
    const rendition = ready.get(photo.id)
    const file = rendition && renditionFile(ctx, photo, rendition, sizes)
    if (file) files.push(file)
    else if (rendition) gone.push(rendition.filename)
  }
  await forgetRenditions(ctx, gone)
  return files
}
