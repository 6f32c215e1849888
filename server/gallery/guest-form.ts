import type { SettingValues } from '../../contract/settings.ts'
import type { EventRow } from '../events/event-rows.ts'
import { guestLook, wholeWish } from '../photos/guest-look.ts'
import type { PhotoRow } from '../photos/photo-rows.ts'
import type { RenditionWish } from '../photos/rendition-rows.ts'

/** The original, with its location blanked or byte for byte, or the one stored JPEG that stands for it. */
export type GuestForm = { kind: 'original'; isStripped: boolean } | { kind: 'rendition'; wish: RenditionWish }

/**
 * What guests get where the full size is asked for: photo/{id}, download/{id} and the ZIPs hand out the same file.
 * A rendition where the event watermarks its photos or caps this one; never of a video. Operators get the original,
 * byte for byte, and do not ask here.
 */
export function guestForm(
  event: EventRow,
  photo: Pick<PhotoRow, 'media_type' | 'width' | 'height'>,
  settings: SettingValues,
): GuestForm {
  const wish = wholeWish(guestLook(event, settings), photo)
  return wish ? { kind: 'rendition', wish } : { kind: 'original', isStripped: event.strip_location === 1 }
}
