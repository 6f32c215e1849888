import { Readable } from 'node:stream'
import { createUser } from '../../../server/access/accounts.ts'
import { createEvent } from '../../../server/events/create-event.ts'
import type { EventRow } from '../../../server/events/event-rows.ts'
import type { PhotoRow } from '../../../server/photos/photo-rows.ts'
import { receivePhoto } from '../../../server/receiving/receive-photo.ts'
import type { ReceivedFile } from '../../../server/platform/http/receive-form.ts'
import { writeStaged } from '../../../server/platform/storage/write-staged.ts'
import type { AppContext } from '../../../server/settings/app-context.ts'
import { plainPicture } from '../media/image-files.ts'

/** Returns a small picture in staging, as a form upload leaves it. */
export async function stagePicture({ storage }: AppContext, width: number): Promise<ReceivedFile> {
  const bytes = await plainPicture(width, 40).jpeg().toBuffer()
  return { ...(await writeStaged(storage, Readable.from([bytes]))), clientName: 'a.jpg' }
}

/** Creates the first account, the first event and its first photo by calling the operations. */
export async function receiveFirstPhoto(ctx: AppContext): Promise<{ event: EventRow; photo: PhotoRow }> {
  const account = {
    username: 'ana',
    email: 'ana@studio.example',
    password: 'a long password',
    mustChangePassword: false,
  }
  const user = await createUser(ctx, { ...account, role: 'super_admin' })
  const body = { event_type: 'wedding', event_name: 'Ana & Ben', require_password: false }
  const event = await createEvent(ctx, { user, scope: null, via: 'header' }, body)
  const photo = await receivePhoto(ctx, { event, file: await stagePicture(ctx, 60), uploadedBy: 'api' })
  return { event, photo }
}
