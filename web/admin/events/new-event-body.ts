import type { Wire } from '../api/api.ts'
import { changesOf, type EventDraft } from './event-draft.ts'

type Filled = {
  first: EventDraft
  draft: EventDraft
  defaults: Wire['EventDefaults']
  isDraft: boolean
  isMailed: boolean
}

/** Returns the request body of a new event. Fields that equal the defaults are left out. */
export function createBody({ first, draft, defaults, isDraft, isMailed }: Filled): Wire['CreateEvent'] {
  const { password, ...chosen } = changesOf(first, draft)
  return {
    ...chosen,
    event_name: draft.event_name,
    event_type: draft.event_type,
    require_password: draft.require_password,
    ...(draft.require_password && password && { password }),
    ...(isDraft && { is_draft: true }),
    // For a draft, the publish dialog asks about the mail.
    ...(!isDraft && draft.customer_email !== '' && { send_email: isMailed }),
    ...(defaults.is_phone_kept ? {} : { customer_phone: null }),
  }
}
