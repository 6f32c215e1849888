type Begun = { id: number; photo_count: number; total_views: number; is_archived: boolean }
type FirstPage = { events: Begun[]; pagination: { total: number } }

/**
 * Returns the event to continue with. The first start is over once a guest has seen the event or there is another one.
 */
export function startOf({ events: [first], pagination }: FirstPage): { isOver: boolean; eventId: number | null } {
  if (!first) return { isOver: false, eventId: null }
  const isOn = pagination.total === 1 && !first.is_archived && first.total_views === 0
  return { isOver: !isOn, eventId: isOn ? first.id : null }
}
