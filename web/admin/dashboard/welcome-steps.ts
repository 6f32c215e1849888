type Begun = { id: number; photo_count: number; total_views: number; is_archived: boolean }
type FirstPage = { events: Begun[]; pagination: { total: number } }

/**
 * Where the first start stands: at an event to come, or, left in the middle, at the one there is, as long as no guest has
 * seen it. `isOver` from then on.
 */
export function startOf({ events: [first], pagination }: FirstPage): { isOver: boolean; eventId: number | null } {
  if (!first) return { isOver: false, eventId: null }
  const isOn = pagination.total === 1 && !first.is_archived && first.total_views === 0
  return { isOver: !isOn, eventId: isOn ? first.id : null }
}
