import { Link } from '@tanstack/react-router'
import { translator } from '../../app/language.ts'
import { buttonClass } from '../../components/button.tsx'
import { Empty } from '../../components/page.tsx'
import type { Event } from '../../events/event-context.tsx'

const t = translator('proofing')

export function NoPicks({ event }: { event: Event }) {
  const params = { eventId: String(event.id) }
  const canPick = event.feedback_enabled && (event.allow_favorites || event.allow_likes)
  if (!canPick) {
    return (
      <Empty title={t('picksOff')} text={t('picksOffText')}>
        <Link to="/events/$eventId/edit" params={params} className={buttonClass('primary')}>
          {t('toSettings')}
        </Link>
      </Empty>
    )
  }
  return (
    <Empty title={t('noPicks')} text={t(event.photo_count === 0 ? 'noPhotosText' : 'noPicksText')}>
      {event.photo_count === 0 ? (
        <Link to="/events/$eventId" params={params} className={buttonClass('primary')}>
          {t('toPhotos')}
        </Link>
      ) : (
        <Link to="/events/$eventId/share" params={params} className={buttonClass('primary')}>
          {t('toShare')}
        </Link>
      )}
    </Empty>
  )
}
