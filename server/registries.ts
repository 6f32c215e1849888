import { linksOfGuests } from './events/guests/guest-links.ts'
import { liveEventsOfGuests } from './events/live/live-event-rows.ts'
import { exportsOfGuests } from './exports/export-rows.ts'
import { feedbackOfGuests } from './feedback/guests/feedback-of-guests.ts'
import { noticesOfGuests } from './feedback/notices/notice-rows.ts'
import { threadsOfGuests, threadsOfPhotos } from './feedback/threads/thread-rows.ts'
import { customersAsGuests } from './people/customers/customers-as-guests.ts'
import { filesOfPhotos } from './photos/list-photo-files.ts'
import { photosOfGuests } from './photos/photos-of-guests.ts'
import { filesOfRenditions } from './photos/renditions/list-rendition-files.ts'
import { retiredFiles } from './photos/retire-originals.ts'
import { decisionsOfGuests, decisionsOfPhotos } from './photos/versions/decision-rows.ts'
import { versionsOfPhotos } from './photos/versions/delete-versions.ts'
import { filesOfVersions } from './photos/versions/files-of-versions.ts'
import { uploadsOfGuests } from './receiving/chunked/guest-sessions.ts'
import { earlierFilesOfPhotos } from './receiving/replaced-file-rows.ts'
import { markLock } from './selections/rounds/mark-lock.ts'
import { roundsOfGuests } from './selections/rounds/round-rows.ts'
import { selectionsOfGuests } from './selections/selection-rows.ts'
import type { Registries } from './settings/belongings.ts'
import { logoFile } from './settings/settings.ts'
import { deliveriesAboutGuests } from './webhooks/redact-deliveries.ts'

export const registries: Registries = {
  guestBelongings: [
    selectionsOfGuests,
    roundsOfGuests,
    decisionsOfGuests,
    threadsOfGuests,
    noticesOfGuests,
    feedbackOfGuests,
    linksOfGuests,
    liveEventsOfGuests,
    customersAsGuests,
    photosOfGuests,
    uploadsOfGuests,
    deliveriesAboutGuests,
    exportsOfGuests,
  ],
  photoBelongings: [earlierFilesOfPhotos, threadsOfPhotos, versionsOfPhotos, decisionsOfPhotos],
  storedFiles: [logoFile, filesOfPhotos, filesOfVersions, filesOfRenditions, retiredFiles],
  markLock,
}
