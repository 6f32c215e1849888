import { days, isoTime } from '../../platform/time/clock.ts'

const retentionMs = days(30)

/** In `events.trashed_at`: the deletion for good has begun. */
export const beingDeleted = 0

/** Photos and events that were moved to the trash before this time are due for deletion. */
export const trashedBefore = (now: number): number => now - retentionMs

/** The times that records of trashed photos and events show. */
export const trashTimes = ({ trashed_at }: { trashed_at: number }) => ({
  trashed_at: isoTime(trashed_at),
  deletes_at: isoTime(trashed_at + retentionMs),
})
