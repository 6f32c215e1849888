import { Link } from '@tanstack/react-router'
import { sayIn } from '../desk/language.ts'
import type { Event } from '../events/event-here.tsx'
import { buttonClass } from '../parts/button.tsx'
import { Empty } from '../parts/page.tsx'

const say = sayIn('proofing')

export function NoPicks({ event }: { event: Event }) {
  const params = { eventId: String(event.id) }
  const canPick = event.feedback_enabled && (event.allow_favorites || event.allow_likes)
  if (!canPick) {
    return (
      <Empty title={say('picksOff')} text={say('picksOffText')}>
        <Link to="/events/$eventId/edit" params={params} className={buttonClass('primary')}>
          {say('toSettings')}
        </Link>
      </Empty>
    )
  }
  return (
    <Empty title={say('noPicks')} text={say(event.photo_count === 0 ? 'noPhotosText' : 'noPicksText')}>
      {event.photo_count === 0 ? (
        <Link to="/events/$eventId" params={params} className={buttonClass('primary')}>
          {say('toPhotos')}
        </Link>
      ) : (
        <Link to="/events/$eventId/share" params={params} className={buttonClass('primary')}>
          {say('toShare')}
        </Link>
      )}
    </Empty>
  )
}
