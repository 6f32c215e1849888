import type { SettingValues } from '../../contract/settings.ts'
import type { EventRow } from '../events/event-rows.ts'
import type { PhotoRow } from '../photos/photo-rows.ts'
import { fullSizeRequest, guestProfile } from '../renditions/guest-profile.ts'
import type { RenditionRequest } from '../renditions/rendition-rows.ts'

export type GuestFile =
  | { kind: 'original'; isLocationStripped: boolean }
  | { kind: 'rendition'; requested: RenditionRequest }

/**
 * Returns what guests get as the full size, in `photo/{id}`, `download/{id}` and ZIPs alike: a rendition if the event
 * has a watermark or size cap, otherwise the original. Videos are always originals.
 */
export function selectGuestFile(
  event: EventRow,
  photo: Pick<PhotoRow, 'media_type' | 'width' | 'height'>,
  settings: SettingValues,
): GuestFile {
  const requested = fullSizeRequest(guestProfile(event, settings), photo)
  return requested
    ? { kind: 'rendition', requested }
    : { kind: 'original', isLocationStripped: event.strip_location === 1 }
}
