import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { useHasPermission } from '../app/me.ts'
import { formatRelativeTime } from '../components/format-time.ts'
import { Icon } from '../components/icon.tsx'
import { healthQuery } from '../health/health-query.ts'

const t = translator('dashboard')

export function Attention({ figures }: { figures: Schemas['Dashboard'] }) {
  const hasPermission = useHasPermission()
  const { data: health } = useQuery({ ...healthQuery, enabled: hasPermission('settings.view') })
  const { photos, feedback, expiring_soon } = figures
  const needsAttention =
    feedback.comments_waiting > 0 || photos.failed > 0 || expiring_soon.length > 0 || (health && health.status !== 'ok')
  if (!needsAttention) return null
  return (
    <section className="attention" aria-label={t('attention')}>
      <ul>
        {health && health.status !== 'ok' && (
          <li>
            <Icon name="warning" />
            <Link to="/health">{t(health.status === 'fail' ? 'healthFails' : 'healthWarns')}</Link>
          </li>
        )}
        {feedback.comments_waiting > 0 && (
          <li>
            <Icon name="comment" />
            <Link to="/events">{t('commentsWaiting', { count: feedback.comments_waiting })}</Link>
          </li>
        )}
        {photos.failed > 0 && (
          <li>
            <Icon name="warning" />
            <Link to="/events">{t('videosFailed', { count: photos.failed })}</Link>
          </li>
        )}
        {expiring_soon.map(({ id, event_name, expires_at }) => (
          <li key={id}>
            <Icon name="clock" />
            <Link to="/events/$eventId/share" params={{ eventId: String(id) }} dir="auto">
              {t('expires', { name: event_name, when: formatRelativeTime(expires_at) })}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
