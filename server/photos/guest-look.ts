import { createHash } from 'node:crypto'
import type { SettingValues } from '../../contract/settings.ts'
import type { EventRow } from '../events/event-rows.ts'
import type { PhotoRow } from './photo-rows.ts'
import { type Look, plainLook, type RenditionWish, wholePx } from './rendition-rows.ts'
import { type Box, fitsInto, sizeInside } from './rendition-rules.ts'

/** Raised when the same words would be drawn in another way: what was made before is then made anew. */
const drawingVersion = 1

/** What a guest's picture of this event looks like: its cap, then its watermark. Operators see `plainLook`. */
export function guestLook(event: EventRow, settings: SettingValues): Look {
  const capPx = event.download_max_px
  const watermark = event.watermark_downloads === 1 ? watermarkOf(event, settings) : null
  if (capPx === null && watermark === null) return plainLook
  return { variant: variantOf('guest', capPx, watermark), capPx, watermark }
}

/** What messengers make room for. */
const linkPicture = { width: 1200, height: 630 }

/**
 * The cover as the preview of a link shows it: as guests see it, cut to the usual shape, and no larger than their cap.
 */
export function coverLook(event: EventRow, settings: SettingValues): Look & { crop: Box } {
  const { capPx, watermark } = guestLook(event, settings)
  const crop = sizeInside(linkPicture, { width: capPx ?? linkPicture.width, height: linkPicture.height })
  return { variant: variantOf('cover', crop.width, watermark), capPx: null, watermark, crop }
}

/** Named after all that decides what the picture looks like. */
const variantOf = (kind: string, ...decidedBy: unknown[]): string =>
  `${kind}-${createHash('sha256')
    .update(JSON.stringify([drawingVersion, ...decidedBy]))
    .digest('hex')
    .slice(0, 12)}`

/** A watermark that was switched on without a text anywhere says whose gallery it is, rather than nothing. */
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

/**
 * The one picture that stands for the full size; null where guests get the original: nothing is drawn, and it is within
 * the cap.
 */
export function wholeWish(look: Look, photo: Pick<PhotoRow, 'media_type' | 'width' | 'height'>): RenditionWish | null {
  const isWithinCap = look.capPx === null || fitsInto(photo, { width: look.capPx, height: look.capPx })
  const isAsItIs = look.watermark === null && isWithinCap
  return photo.media_type === 'video' || isAsItIs ? null : { look, bound_px: wholePx, format: 'jpeg' }
}
