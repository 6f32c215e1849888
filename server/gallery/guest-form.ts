import type { SettingValues } from '../../contract/settings.ts'
import type { EventRow } from '../events/event-rows.ts'
import { fullSizeRequest, guestProfile } from '../photos/guest-look.ts'
import type { PhotoRow } from '../photos/photo-rows.ts'
import type { RenditionRequest } from '../photos/rendition-rows.ts'

export type GuestForm = { kind: 'original'; isStripped: boolean } | { kind: 'rendition'; wish: RenditionRequest }

/**
 * Returns what guests get as the full size, in `photo/{id}`, `download/{id}` and ZIPs alike: a rendition if the event
 * has a watermark or size cap, otherwise the original. Videos are always originals.
 */
export function guestForm(
  event: EventRow,
  photo: Pick<PhotoRow, 'media_type' | 'width' | 'height'>,
  settings: SettingValues,
): GuestForm {
  const wish = fullSizeRequest(guestProfile(event, settings), photo)
  return wish ? { kind: 'rendition', wish } : { kind: 'original', isStripped: event.strip_location === 1 }
}
