import { visibleToGuests } from '../events/visible-photos.ts'
import type { MailRow } from '../platform/mail/mail-rows.ts'
import type { MailPicture } from '../platform/mail/mailer.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { thumbnailKey } from './photo-files.ts'

/** Loads the thumbnails that a mail of an event shows. Leaves out photos that are gone, and for guests hidden ones. */
export async function loadMailPictures(
  { db, storage, log }: PlatformContext,
  { id: mail, kind, event_id: eventId, html_body }: MailRow,
): Promise<MailPicture[]> {
  const ids = new Set([...html_body.matchAll(/src="cid:photo-(\d+)@proofroom"/g)].map(([, id]) => Number(id)))
  if (eventId === null || ids.size === 0) return []
  const photos = await db
    .selectFrom('photos')
    .select(['id', 'thumbnail_filename', 'thumbnail_size_bytes'])
    .where('event_id', '=', eventId)
    .where('id', 'in', [...ids])
    .$if(kind === 'thread_answered', (some) => some.where(visibleToGuests()))
    .execute()
  const loaded = photos.map(
    async ({ id, thumbnail_filename: filename, thumbnail_size_bytes: size }): Promise<MailPicture[]> => {
      if (filename === null || size === null) return []
      const jpeg = await storage.readSmallFile(thumbnailKey(eventId, filename), size).catch((err) => {
        log.warn({ err, mail, photo: id }, 'A mail is sent without a picture')
        return null
      })
      return jpeg === null ? [] : [{ id: `photo-${id}@proofroom`, jpeg }]
    },
  )
  return (await Promise.all(loaded)).flat()
}
