type WelcomeEvent = { id: number; photo_count: number; total_views: number; is_archived: boolean }
type FirstPage = { events: WelcomeEvent[]; pagination: { total: number } }

/**
 * `eventId` is the event to continue with. The welcome steps are complete if the only event was viewed or archived, or
 * if there are several events.
 */
export function getWelcomeState({ events: [first], pagination }: FirstPage): {
  isComplete: boolean
  eventId: number | null
} {
  if (!first) return { isComplete: false, eventId: null }
  const isActive = pagination.total === 1 && !first.is_archived && first.total_views === 0
  return { isComplete: !isActive, eventId: isActive ? first.id : null }
}
