import { createHash } from 'node:crypto'
import type { SettingValues } from '../../../contract/settings.ts'
import type { EventRow } from '../../events/event-rows.ts'
import { normalizeText } from '../../platform/text/normalize-text.ts'
import type { PhotoRow } from '../photo-rows.ts'
import { fullSizePx, plainProfile, type RenditionProfile, type RenditionRequest } from './rendition-rows.ts'
import { type Box, fitsInto, scaleToFit, sizeInProfile } from './rendition-rules.ts'

/** Increase this when the same profile is drawn differently, so that old renditions become stale. */
const drawingVersion = 1

/**
 * Returns the profile of guests: their size limit and watermark. Without both, it is `plainProfile`, as for operators.
 */
export function guestProfile(event: EventRow, settings: SettingValues): RenditionProfile {
  const capPx = event.download_max_px
  const watermark = event.watermark_downloads === 1 ? getWatermark(event, settings) : null
  if (capPx === null && watermark === null) return plainProfile
  return { variant: createVariantName('guest', capPx, watermark), capPx, watermark }
}

const linkPreviewSize = { width: 1200, height: 630 }

/** Returns the profile of link previews: cropped, with the watermark and within the size limit of guests. */
export function coverProfile(event: EventRow, settings: SettingValues): RenditionProfile & { crop: Box } {
  const { capPx, watermark } = guestProfile(event, settings)
  const crop = scaleToFit(linkPreviewSize, { width: capPx ?? linkPreviewSize.width, height: linkPreviewSize.height })
  return { variant: createVariantName('cover', crop.width, watermark), capPx: null, watermark, crop }
}

/** Different inputs give different names. */
const createVariantName = (kind: string, ...inputs: unknown[]): string =>
  `${kind}-${createHash('sha256')
    .update(JSON.stringify([drawingVersion, ...inputs]))
    .digest('hex')
    .slice(0, 12)}`

/** Without any configured text the watermark shows the studio name or the event name. */
function getWatermark(event: EventRow, settings: SettingValues) {
  const texts = [event.watermark_text, settings.watermark_text, settings.branding_studio_name, event.event_name]
  const text = texts.map((one) => toSingleLine(one ?? '')).find((one) => one !== '') ?? ''
  return { text, style: settings.watermark_style, opacityPercent: settings.watermark_opacity }
}

const toSingleLine = (text: string): string =>
  normalizeText(text)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()

/** Returns null if guests get the original. */
export function fullSizeRequest(
  profile: RenditionProfile,
  photo: Pick<PhotoRow, 'media_type' | 'width' | 'height'>,
): RenditionRequest | null {
  const isWithinCap = profile.capPx === null || fitsInto(photo, { width: profile.capPx, height: profile.capPx })
  const isUnchanged = profile.watermark === null && isWithinCap
  return photo.media_type === 'video' || isUnchanged ? null : { profile, bound_px: fullSizePx, format: 'jpeg' }
}

/** Like `fullSizeRequest`, for a download of pictures that are at most `widthPx` wide; null for full size. */
export function downloadRequest(
  profile: RenditionProfile,
  photo: Pick<PhotoRow, 'media_type' | 'width' | 'height'>,
  widthPx: number | null,
): RenditionRequest | null {
  return widthPx !== null && isWider(profile, photo, widthPx)
    ? { profile, bound_px: widthPx, format: 'jpeg' }
    : fullSizeRequest(profile, photo)
}

/** Returns whether guests get the picture in full size wider than `widthPx`. */
export function isWider(
  profile: RenditionProfile,
  photo: Pick<PhotoRow, 'media_type' | 'width' | 'height'>,
  widthPx: number,
): boolean {
  const { width } = sizeInProfile(photo, profile)
  return photo.media_type === 'image' && (width === null || width > widthPx)
}
