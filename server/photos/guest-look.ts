import { createHash } from 'node:crypto'
import type { SettingValues } from '../../contract/settings.ts'
import type { EventRow } from '../events/event-rows.ts'
import type { PhotoRow } from './photo-rows.ts'
import { plainProfile, type RenditionProfile, type RenditionRequest, wholePx } from './rendition-rows.ts'
import { type Box, fitsInto, sizeInside } from './rendition-rules.ts'

/** Increase this when the same profile is drawn differently, so that old renditions become stale. */
const drawingVersion = 1

/** Returns the profile of pictures for guests: the size limit, then the watermark. Operators use `plainProfile`. */
export function guestProfile(event: EventRow, settings: SettingValues): RenditionProfile {
  const capPx = event.download_max_px
  const watermark = event.watermark_downloads === 1 ? watermarkOf(event, settings) : null
  if (capPx === null && watermark === null) return plainProfile
  return { variant: variantOf('guest', capPx, watermark), capPx, watermark }
}

const linkPicture = { width: 1200, height: 630 }

/** Returns the guests' watermark on a crop that is no larger than their size limit. */
export function coverProfile(event: EventRow, settings: SettingValues): RenditionProfile & { crop: Box } {
  const { capPx, watermark } = guestProfile(event, settings)
  const crop = sizeInside(linkPicture, { width: capPx ?? linkPicture.width, height: linkPicture.height })
  return { variant: variantOf('cover', crop.width, watermark), capPx: null, watermark, crop }
}

/** The name changes whenever an input that affects the picture changes. */
const variantOf = (kind: string, ...decidedBy: unknown[]): string =>
  `${kind}-${createHash('sha256')
    .update(JSON.stringify([drawingVersion, ...decidedBy]))
    .digest('hex')
    .slice(0, 12)}`

/** Without any configured text the watermark shows the studio name or the event name. */
function watermarkOf(event: EventRow, settings: SettingValues) {
  const texts = [event.watermark_text, settings.watermark_text, settings.branding_studio_name, event.event_name]
  const text = texts.map((one) => oneLine(one ?? '')).find((one) => one !== '') ?? ''
  return { text, style: settings.watermark_style, opacityPercent: settings.watermark_opacity }
}

const oneLine = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()

/** Returns null if guests get the original. */
export function fullSizeRequest(
  look: RenditionProfile,
  photo: Pick<PhotoRow, 'media_type' | 'width' | 'height'>,
): RenditionRequest | null {
  const isWithinCap = look.capPx === null || fitsInto(photo, { width: look.capPx, height: look.capPx })
  const isAsItIs = look.watermark === null && isWithinCap
  return photo.media_type === 'video' || isAsItIs ? null : { look, bound_px: wholePx, format: 'jpeg' }
}
