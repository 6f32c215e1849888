import { type ChangeFeedbackSettingsBody, type FeedbackSettings, feedbackSwitches } from '../../contract/feedback.ts'
import { invalidField } from '../platform/errors/app-error.ts'
import type { AppContext } from '../settings/app-context.ts'
import { changeEvent } from './change-event.ts'
import type { EventRow } from './event-rows.ts'

/** `identity_mode` says the same as `require_guest_name`: `guest` if guests must give a name, otherwise `simple`. */
export function feedbackSettings(event: EventRow): FeedbackSettings {
  const switches = Object.fromEntries(feedbackSwitches.map((key) => [key, event[key] === 1]))
  return {
    ...(switches as Omit<FeedbackSettings, 'identity_mode'>),
    identity_mode: event.require_guest_name === 1 ? 'guest' : 'simple',
  }
}

/** Changes only the given fields. Throws NOT_FOUND, EVENT_ARCHIVED or VALIDATION_ERROR. */
export async function changeFeedbackSettings(
  ctx: AppContext,
  eventId: number,
  { identity_mode, ...switches }: ChangeFeedbackSettingsBody,
): Promise<FeedbackSettings> {
  const requiresName = identity_mode === undefined ? switches.require_guest_name : identity_mode === 'guest'
  if (switches.require_guest_name !== undefined && switches.require_guest_name !== requiresName) {
    throw invalidField('identity_mode', 'contradicts require_guest_name')
  }
  const body = { ...switches, ...(requiresName !== undefined && { require_guest_name: requiresName }) }
  return feedbackSettings(await changeEvent(ctx, eventId, body))
}
