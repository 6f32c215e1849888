import './attention.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Schemas } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { useHasPermission } from '../app/me.ts'
import { formatRelativeTime } from '../components/format-time.ts'
import { Icon, type IconName } from '../components/icon.tsx'
import { healthQuery } from '../health/health-query.ts'

const t = translator('dashboard')

/** What needs an answer of the operator, with a link to the page where to give it. */
export function Attention({ figures }: { figures: Schemas['Dashboard'] }) {
  const hasPermission = useHasPermission()
  const { data: health } = useQuery({ ...healthQuery, enabled: hasPermission('settings.view') })
  const lines = [...describeGuests(figures), ...describeEvents(figures), ...describeHealth(health?.status)]
  if (lines.length === 0) return null
  return (
    <section className="attention" aria-label={t('attention')}>
      <ul>
        {lines.map(({ key, icon, link, when }) => (
          <li key={key}>
            <Icon name={icon} />
            {link}
            {when && <span className="quiet-text">{formatRelativeTime(when)}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}

type Line = { key: string; icon: IconName; link: ReactNode; when?: string }

const describeHealth = (status: string | undefined): Line[] =>
  status === undefined || status === 'ok'
    ? []
    : [
        {
          key: 'health',
          icon: 'warning',
          link: <Link to="/health">{t(status === 'fail' ? 'healthFails' : 'healthWarns')}</Link>,
        },
      ]

function describeGuests({ selections, waiting }: Schemas['Dashboard']): Line[] {
  const picks = selections.map(({ event, guest_name, photo_count, created_at }) => ({
    key: `picks ${event.id} ${created_at}`,
    icon: 'heart' as const,
    when: created_at,
    link: (
      <Link to="/events/$eventId/picks" params={{ eventId: String(event.id) }} dir="auto">
        {t('picksSubmitted', { name: guest_name ?? t('unnamedGuest'), count: photo_count, event: event.event_name })}
      </Link>
    ),
  }))
  const uploads = waiting
    .filter(({ guest_uploads }) => guest_uploads > 0)
    .map(({ id, event_name, guest_uploads }) => ({
      key: `uploads ${id}`,
      icon: 'photos' as const,
      link: (
        <Link to="/events/$eventId" params={{ eventId: String(id) }} search={{ review: 'waiting' }} dir="auto">
          {t('uploadsToReview', { count: guest_uploads, event: event_name })}
        </Link>
      ),
    }))
  const notes = waiting
    .filter((event) => event.notes > 0)
    .map((event) => ({
      key: `notes ${event.id}`,
      icon: 'comment' as const,
      link: (
        <Link to="/events/$eventId/comments" params={{ eventId: String(event.id) }} dir="auto">
          {t('notesToAnswer', { count: event.notes, event: event.event_name })}
        </Link>
      ),
    }))
  const comments = waiting
    .filter((event) => event.comments > 0)
    .map((event) => ({
      key: `comments ${event.id}`,
      icon: 'comment' as const,
      link: (
        <Link
          to="/events/$eventId/comments"
          params={{ eventId: String(event.id) }}
          search={{ status: 'pending' }}
          dir="auto"
        >
          {t('commentsToReview', { count: event.comments, event: event.event_name })}
        </Link>
      ),
    }))
  return [...picks, ...notes, ...uploads, ...comments]
}

function describeEvents({ photos, expiring_soon }: Schemas['Dashboard']): Line[] {
  const videos: Line[] = [
    { key: 'videos', icon: 'warning', link: <Link to="/events">{t('videosFailed', { count: photos.failed })}</Link> },
  ]
  const expiring = expiring_soon.map(({ id, event_name, expires_at }) => ({
    key: `expires ${id}`,
    icon: 'clock' as const,
    link: (
      <Link to="/events/$eventId/share" params={{ eventId: String(id) }} dir="auto">
        {t('expires', { name: event_name, when: formatRelativeTime(expires_at) })}
      </Link>
    ),
  }))
  return [...(photos.failed > 0 ? videos : []), ...expiring]
}
