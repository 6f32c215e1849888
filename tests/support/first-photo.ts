import { Readable } from 'node:stream'
import { createUser } from '../../server/access/accounts.ts'
import { createEvent } from '../../server/events/create-event.ts'
import type { EventRow } from '../../server/events/event-rows.ts'
import type { PhotoRow } from '../../server/photos/photo-rows.ts'
import { receivePhoto } from '../../server/photos/receive-photo.ts'
import type { ReceivedFile } from '../../server/platform/http/receive-form.ts'
import { writeStaged } from '../../server/platform/storage/write-staged.ts'
import type { House } from '../../server/settings/house.ts'
import { plainPicture } from './image-files.ts'

/** A small picture as a form brings it in. */
export async function stagedPicture({ storage }: House, width: number): Promise<ReceivedFile> {
  const bytes = await plainPicture(width, 40).jpeg().toBuffer()
  return { ...(await writeStaged(storage, Readable.from([bytes]))), clientName: 'a.jpg' }
}

/** The first account, the first event and its first photo, by the deeds themselves. */
export async function receiveFirstPhoto(house: House): Promise<{ event: EventRow; photo: PhotoRow }> {
  const account = {
    username: 'ana',
    email: 'ana@studio.example',
    password: 'a long password',
    mustChangePassword: false,
  }
  const user = await createUser(house, { ...account, role: 'super_admin' })
  const body = { event_type: 'wedding', event_name: 'Ana & Ben', require_password: false }
  const event = await createEvent(house, { user, scope: null, via: 'header' }, body)
  const photo = await receivePhoto(house, { event, file: await stagedPicture(house, 60), uploadedBy: 'api' })
  return { event, photo }
}
