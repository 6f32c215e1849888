import { suggestPassword } from '../../contract/suggest-password.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { AppContext } from '../settings/app-context.ts'
import { changeEvent } from './change-event.ts'
import { updateAndAnnounce } from './event-announcements.ts'
import type { EventRow } from './event-rows.ts'
import { createAccessKey, createShareToken } from './event-rules.ts'
import { getChangeableEvent } from './get-changeable-event.ts'
import { recordOutdatedLink } from './outdated-links.ts'

/** Ends all guest sessions; the password stays. Throws NOT_FOUND or EVENT_ARCHIVED. */
export async function renewShareLink({ db, clock, settings, changes }: AppContext, eventId: number): Promise<EventRow> {
  const origin = await settings.linkOrigin()
  const changed = await inTransaction(db, `event ${eventId}`, async (tx) => {
    const { share_token: before } = await getChangeableEvent(tx, eventId)
    await recordOutdatedLink(tx, eventId, before)
    const columns = { share_token: createShareToken(), access_key: createAccessKey() }
    return updateAndAnnounce(tx, eventId, columns, { type: 'event.updated', origin, now: clock.now() })
  })
  changes.notify('event', eventId)
  changes.notify('delivery', eventId)
  return changed
}

/** Renews the share link and ends all guest sessions. Throws NOT_FOUND or EVENT_ARCHIVED. */
export async function resetEventPassword(ctx: AppContext, eventId: number, given: string | null) {
  const password = given ?? suggestPassword()
  const event = await changeEvent(ctx, eventId, { password, require_password: true })
  return { event, generatedPassword: given === null ? password : null }
}
