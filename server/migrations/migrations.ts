import type { Migration } from 'kysely/migration'
import { foundation } from './0001-foundation.ts'
import { eventLifecycle } from './0002-event-lifecycle.ts'
import { marks } from './0003-marks.ts'
import { mail } from './0004-mail.ts'
import { idempotency } from './0005-idempotency.ts'
import { renditions } from './0006-renditions.ts'
import { looks } from './0007-looks.ts'
import { location } from './0008-location.ts'
import { guests } from './0009-guests.ts'
import { photoNames } from './0010-photo-names.ts'
import { moderation } from './0011-moderation.ts'
import { customers } from './0012-customers.ts'
import { exportsOfMarks } from './0013-exports.ts'
import { chunkedUploads } from './0014-chunked-uploads.ts'
import { videos } from './0015-videos.ts'
import { repair } from './0016-repair.ts'
import { sessions } from './0017-sessions.ts'
import { people } from './0018-people.ts'
import { activity } from './0019-activity.ts'
import { webhooks } from './0020-webhooks.ts'
import { imports } from './0021-imports.ts'
import { nodes } from './0022-nodes.ts'
import { backups } from './0023-backups.ts'
import { partedUploads } from './0024-parted-uploads.ts'
import { exportChoices } from './0025-export-choices.ts'
import { liveGuests } from './0026-live-guests.ts'
import { marksAddedUp } from './0027-marks-added-up.ts'
import { uploadBudgets } from './0028-upload-budgets.ts'
import { listVersions } from './0029-list-versions.ts'
import { outdatedLinks } from './0030-outdated-links.ts'
import { galleryAccess } from './0031-gallery-access.ts'
import { captureOrder } from './0032-capture-order.ts'
import { guestUploadReview } from './0033-guest-upload-review.ts'
import { guestNotes } from './0034-guest-notes.ts'
import { guestErasure } from './0036-guest-erasure.ts'
import { photoOrder } from './0037-photo-order.ts'
import { trash } from './0039-trash.ts'
import { mailServer } from './0041-mail-server.ts'
import { guestActs } from './0042-guest-acts.ts'
import { backupSecrets } from './0043-backup-secrets.ts'
import { tokenWebhooks } from './0044-token-webhooks.ts'
import { signedPictures } from './0046-signed-pictures.ts'
import { arrivingEvents } from './0048-arriving-events.ts'
import { oldSlugs } from './0050-old-slugs.ts'
import { outdatedLinksByToken } from './0051-outdated-links-by-token.ts'
import { markedTimes } from './0052-marked-times.ts'
import { guestRows } from './0053-guest-rows.ts'
import { tokenRights } from './0054-token-rights.ts'
import { begunChunks } from './0055-begun-chunks.ts'
import { replacedFiles } from './0056-replaced-files.ts'
import { stills } from './0057-stills.ts'
import { rawDownloads } from './0058-raw-downloads.ts'
import { replacedContents } from './0059-replaced-contents.ts'
import { replacedOfTrashed } from './0060-replaced-of-trashed.ts'
import { eventLanguage } from './0061-event-language.ts'
import { letterTexts } from './0062-letter-texts.ts'
import { threads } from './0063-threads.ts'
import { annotations } from './0064-annotations.ts'
import { threadNotices } from './0065-thread-notices.ts'
import { rounds } from './0066-rounds.ts'
import { versions } from './0067-versions.ts'
import { typefaces } from './0068-typefaces.ts'
import { covers } from './0069-covers.ts'
import { firstLooks } from './0070-first-looks.ts'

/** Append only: never change a released migration. */
export const migrations: Record<string, Migration> = {
  '0001-foundation': foundation,
  '0002-event-lifecycle': eventLifecycle,
  '0003-marks': marks,
  '0004-mail': mail,
  '0005-idempotency': idempotency,
  '0006-renditions': renditions,
  '0007-looks': looks,
  '0008-location': location,
  '0009-guests': guests,
  '0010-photo-names': photoNames,
  '0011-moderation': moderation,
  '0012-customers': customers,
  '0013-exports': exportsOfMarks,
  '0014-chunked-uploads': chunkedUploads,
  '0015-videos': videos,
  '0016-repair': repair,
  '0017-sessions': sessions,
  '0018-people': people,
  '0019-activity': activity,
  '0020-webhooks': webhooks,
  '0021-imports': imports,
  '0022-nodes': nodes,
  '0023-backups': backups,
  '0024-parted-uploads': partedUploads,
  '0025-export-choices': exportChoices,
  '0026-live-guests': liveGuests,
  '0027-marks-added-up': marksAddedUp,
  '0028-upload-budgets': uploadBudgets,
  '0029-list-versions': listVersions,
  '0030-outdated-links': outdatedLinks,
  '0031-gallery-access': galleryAccess,
  '0032-capture-order': captureOrder,
  '0033-guest-upload-review': guestUploadReview,
  '0034-guest-notes': guestNotes,
  '0036-guest-erasure': guestErasure,
  '0037-photo-order': photoOrder,
  '0039-trash': trash,
  '0041-mail-server': mailServer,
  '0042-guest-acts': guestActs,
  '0043-backup-secrets': backupSecrets,
  '0044-token-webhooks': tokenWebhooks,
  '0046-signed-pictures': signedPictures,
  '0048-arriving-events': arrivingEvents,
  '0050-old-slugs': oldSlugs,
  '0051-outdated-links-by-token': outdatedLinksByToken,
  '0052-marked-times': markedTimes,
  '0053-guest-rows': guestRows,
  '0054-token-rights': tokenRights,
  '0055-begun-chunks': begunChunks,
  '0056-replaced-files': replacedFiles,
  '0057-stills': stills,
  '0058-raw-downloads': rawDownloads,
  '0059-replaced-contents': replacedContents,
  '0060-replaced-of-trashed': replacedOfTrashed,
  '0061-event-language': eventLanguage,
  '0062-letter-texts': letterTexts,
  '0063-threads': threads,
  '0064-annotations': annotations,
  '0065-thread-notices': threadNotices,
  '0066-rounds': rounds,
  '0067-versions': versions,
  '0068-typefaces': typefaces,
  '0069-covers': covers,
  '0070-first-looks': firstLooks,
}
