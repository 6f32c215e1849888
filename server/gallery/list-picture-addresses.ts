import {
  type PictureAddress,
  type PictureAddresses,
  type PictureAddressesQuery,
  type SignedWidth,
  signedWidths,
} from '../../contract/gallery/signed-pictures.ts'
import type { EventRow } from '../events/event-rows.ts'
import { assertNotArchived } from '../events/event-rules.ts'
import { type ListedPhoto, loadPhotosByIds } from '../photos/listed-photos.ts'
import { choosePhotos, parsePhotoIds } from '../photos/lists/choose-photos.ts'
import { listPhotos } from '../photos/lists/list-photos.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { isoTime } from '../platform/time/clock.ts'
import type { AppContext } from '../settings/app-context.ts'
import { maxPictureAgeSeconds, signedPicturePath } from './signed-picture-rules.ts'

/**
 * Returns addresses of the pictures that guests see, below `origin`. Throws SIGNED_PICTURES_DISABLED, EVENT_ARCHIVED,
 * and INVALID_PHOTO_IDS if an id belongs to no photo of the event.
 */
export async function listPictureAddresses(
  ctx: AppContext,
  event: EventRow,
  { page, limit, ids, widths, expires_in: expiresIn }: PictureAddressesQuery,
  origin: string,
): Promise<PictureAddresses> {
  assertNotArchived(event)
  if (event.allow_signed_pictures === 0) throw new AppError('SIGNED_PICTURES_DISABLED')
  const requestedWidths = signedWidths.filter((width) => widths.split(',').includes(String(width)))
  const expiresAt = roundDown(ctx.clock.now() / 1000 + expiresIn)
  const sign = ctx.access.pictureSignatures.signerOf(event)

  const addressOf = (photoId: number, widthPx: SignedWidth): string => {
    const picture = { photoId, widthPx, expiresAt }
    return origin + signedPicturePath(picture, sign(picture))
  }
  const record = ({ id, original_filename, media_type, width, height, thumbhash }: ListedPhoto): PictureAddress => ({
    photo_id: id,
    original_filename,
    media_type,
    width,
    height,
    thumbhash,
    urls: Object.fromEntries(requestedWidths.map((width) => [width, addressOf(id, width)])),
  })
  const { photos, ...pagination } = ids === undefined ? await loadPage() : await loadChosen(ids)
  return { pictures: photos.map(record), expires_at: isoTime(expiresAt * 1000), pagination }

  async function loadPage() {
    const { photos, total } = await listPhotos(ctx, event.id, { page, limit, filter: { onlyVisible: true } })
    return { photos, page, limit, total, pages: Math.ceil(total / limit) }
  }

  async function loadChosen(text: string) {
    const chosen = parsePhotoIds(text)
    const found = await choosePhotos(ctx, event.id, { ids: chosen, filter: { visibility: 'visible' } })
    const visibleIds = new Set(found.map(({ id }) => id))
    const order = [...new Set(chosen.values)].filter((id) => visibleIds.has(id))
    const photos = await loadPhotosByIds(ctx.db, order, null)
    const { length: total } = photos
    return { photos, page: 1, limit: chosen.values.length, total, pages: Math.min(total, 1) }
  }
}

/** Addresses that are made within the time for which caches keep a picture are the same, so that caches find it. */
const roundDown = (seconds: number): number => Math.floor(seconds / maxPictureAgeSeconds) * maxPictureAgeSeconds
