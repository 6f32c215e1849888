import type { AppContext } from '../settings/app-context.ts'
import { changeEvent } from './change-event.ts'
import type { EventRow } from './event-rows.ts'
import { generateGalleryPassword } from './gallery-passwords.ts'

/** Renews the share link and ends all guest sessions. Throws NOT_FOUND or EVENT_ARCHIVED. */
export async function resetEventPassword(
  ctx: AppContext,
  eventId: number,
  given: string | null,
): Promise<{ event: EventRow; generatedPassword: string | null }> {
  const password = given ?? generateGalleryPassword()
  const event = await changeEvent(ctx, eventId, { password, require_password: true })
  return { event, generatedPassword: given === null ? password : null }
}
