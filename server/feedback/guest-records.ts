import type { ListedGuest } from '../../contract/gallery/guests.ts'
import { isoTime } from '../platform/clock.ts'
import { feedbackCountsRecord } from './feedback-counts.ts'
import { guestRecord } from './guest-rows.ts'
import type { ActiveGuest } from './list-guests.ts'

export const listedGuest = (guest: ActiveGuest): ListedGuest => ({
  ...guestRecord(guest),
  ...feedbackCountsRecord(guest.counts),
  selection_count: guest.selections,
  first_seen_at: isoTime(guest.firstSeenAt),
  last_seen_at: isoTime(guest.lastSeenAt),
})
