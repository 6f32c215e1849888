import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { ReviewState } from '../../../contract/gallery/decisions.ts'
import { translator } from '../app/language.ts'
import type { Event } from '../events/event-context.tsx'
import { invalidateReview, reviewQuery } from '../photos/model/version-queries.ts'
import { throttle, useLive } from './live/use-live.ts'

const t = translator('photos')

/** How many photos are approved, with links to the others. Keeps what the page shows of decisions up to date. */
export function ReviewLine({ event: { id: eventId, is_archived } }: { event: Event }) {
  const { data } = useQuery(reviewQuery(eventId))
  const { photos = [], asked_count: asked = 0, approved_count: approved = 0 } = data ?? {}
  const counts = Map.groupBy(photos, ({ state }) => state)
  const renderLink = (decision: ReviewState, text: string) => (
    <Link key={decision} to="/events/$eventId" params={{ eventId: String(eventId) }} search={{ decision }}>
      {text}
    </Link>
  )
  const sum = approved < asked ? t('approvedOf', { count: approved, total: asked }) : t('allApproved', { count: asked })
  return (
    <>
      {!is_archived && <LiveReview eventId={eventId} />}
      {asked > 0 && renderLink(counts.has('approved') || approved === 0 ? 'approved' : 'approved_with_changes', sum)}
      {(['changes_wanted', 'waiting'] as const)
        .filter((state) => asked > 0 && counts.has(state))
        .map((state) => renderLink(state, `${t(`decision_${state}`)}: ${counts.get(state)?.length}`))}
    </>
  )
}

function LiveReview({ eventId }: { eventId: number }) {
  const refreshSoon = useMemo(() => throttle(() => invalidateReview(eventId)), [eventId])
  useLive(eventId, ({ decisions, selections, hasNewName, needsReload }) => {
    if (decisions.length + selections.length > 0 || hasNewName || needsReload) refreshSoon()
  })
  return null
}
