import { samplePicture } from '../../../tools/sample-pictures.ts'
import { copyRow } from '../database/copy-rows.ts'
import { createEvent, enterAsGuest, type TestEvent } from './events.ts'
import { changeDatabase } from '../database/service-database.ts'
import type { StoredDatabase } from '../database/stored-database.ts'
import type { TestService } from '../service/test-service.ts'

/** The Accept header of browsers for pictures. */
const browserAccept = 'image/avif,image/webp,image/apng,image/*,*/*;q=0.8'

type LargeGalleryOptions = { photos: number; pictures?: number; longEdgePx?: number; event?: Record<string, unknown> }

/** Uploads some sample pictures. All other photos are copies of their rows and share their files and renditions. */
export async function createLargeGallery(
  service: TestService,
  { photos, pictures = 7, longEdgePx = 1400, event: body = {} }: LargeGalleryOptions,
): Promise<TestEvent> {
  const event = await createEvent(service.api, body)
  const ids: number[] = []
  for (let index = 0; index < pictures; index++) {
    const { bytes, filename } = await samplePicture(index, { longEdgePx })
    const { body: photo } = await service.api.upload(event.id, new Uint8Array(bytes), { name: filename })
    ids.push(photo.id)
  }
  const guest = await enterAsGuest(service, event)
  for (const id of ids) {
    const { status } = await guest.get(`/api/gallery/${event.slug}/photo/${id}?w=640`, { accept: browserAccept })
    if (status !== 200) throw new Error(`A picture of ${id} was not made: ${status}`)
  }
  await changeDatabase(service, (stored) => {
    for (const [index, id] of ids.entries()) {
      const copies = Math.floor((photos - 1 - index) / pictures)
      if (copies > 0) copyPhotoRow(stored, id, copies)
    }
    copyPictureRows(stored, event.id)
    countPhotos(stored, event.id)
  })
  return event
}

/** Each copy is one minute older, so that the copies of different pictures alternate. */
const copyPhotoRow = (stored: StoredDatabase, id: number, copies: number) =>
  copyRow(stored, 'photos', id, copies, {
    filename: "filename || '-' || n.value || '.jpg'",
    uploaded_at: 'uploaded_at - n.value * 60000',
  })

function copyPictureRows(stored: StoredDatabase, eventId: number): void {
  const columns = stored.columns('photo_renditions')
  const values = columns.map((name) => (name === 'photo_id' ? 'photos.id' : `photo_renditions.${name}`))
  const copy = `insert into photo_renditions (${columns}) select ${values} from photo_renditions
    join photos on photos.event_id = photo_renditions.event_id and photos.content_hash = photo_renditions.content_hash
    where photo_renditions.event_id = ? and photos.filename like '%.jpg-%'`
  stored.prepare(copy).run(eventId)
}

function countPhotos(stored: StoredDatabase, eventId: number): void {
  const total = (what: string) => `(select ${what} from photos where event_id = ${eventId})`
  stored
    .prepare(
      `update event_photo_totals set photo_count = ${total('count(*)')}, visible_count = ${total('count(*)')},
        total_size = ${total('sum(size_bytes)')} where event_id = ?`,
    )
    .run(eventId)
}
