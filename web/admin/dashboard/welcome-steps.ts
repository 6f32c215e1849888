type Begun = { id: number; photo_count: number; total_views: number; is_archived: boolean }

/** Where a start goes on that was left in the middle: at the newest event, as long as no guest has seen it. */
export const stepOf = (newest: Begun | null): { eventId: number | null } => ({
  eventId: newest && !newest.is_archived && newest.total_views === 0 ? newest.id : null,
})
