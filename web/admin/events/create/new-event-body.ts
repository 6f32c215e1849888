import type { Schemas } from '../../api/api.ts'
import { diffEventDrafts, type EventDraft } from '../fields/event-draft.ts'

type NewEventInput = {
  first: EventDraft
  draft: EventDraft
  defaults: Schemas['EventDefaults']
  isDraft: boolean
  shouldSendMail: boolean
}

/** Returns the request body of a new event. Fields that equal the defaults are left out. */
export function createEventBody({
  first,
  draft,
  defaults,
  isDraft,
  shouldSendMail,
}: NewEventInput): Schemas['CreateEvent'] {
  const { password, ...chosen } = diffEventDrafts(first, draft)
  return {
    ...chosen,
    event_name: draft.event_name,
    event_type: draft.event_type,
    require_password: draft.require_password,
    ...(draft.require_password && password && { password }),
    ...(isDraft && { is_draft: true }),
    // For a draft, the publish dialog asks about the mail.
    ...(!isDraft && draft.customer_email !== '' && { send_email: shouldSendMail }),
    ...(defaults.is_phone_kept ? {} : { customer_phone: null }),
  }
}
