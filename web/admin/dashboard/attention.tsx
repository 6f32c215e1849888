import './attention.css'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Schemas } from '../api/api.ts'
import { findMessage, translator } from '../app/language.ts'
import { useHasPermission, useMe } from '../app/me.ts'
import { Button } from '../components/button.tsx'
import { formatRelativeTime } from '../components/format-time.ts'
import { Icon, type IconName } from '../components/icon.tsx'
import { showError } from '../components/notices.tsx'
import { markSelection } from '../feedback/selections-query.ts'
import { healthQuery } from '../health/health-query.ts'

const t = translator('dashboard')

/** What the operator must decide or answer, each with a link to the page for it. */
export function Attention({ figures }: { figures: Schemas['Dashboard'] }) {
  const hasPermission = useHasPermission()
  const { data: health } = useQuery({ ...healthQuery, enabled: hasPermission('settings.view') })
  const address = describeAddress(useMe().email, health)
  const lines = [...describeGuests(figures), ...describeEvents(figures), ...address, ...describeHealth(health)]
  if (lines.length === 0) return null
  return (
    <section className="attention" aria-label={t('attention')}>
      <ul>
        {lines.map(({ key, icon, link, when, action }) => (
          <li key={key}>
            <Icon name={icon} />
            {link}
            {when && <span className="quiet-text">{formatRelativeTime(when)}</span>}
            {action}
          </li>
        ))}
      </ul>
    </section>
  )
}

function SelectionDone({ id, guest }: { id: number; guest: string }) {
  const canEdit = useHasPermission()('photos.edit')
  const mark = useMutation({ mutationFn: () => markSelection(id, 'done'), onError: showError })
  return (
    canEdit && (
      <Button
        kind="quiet"
        icon="check"
        isBusy={mark.isPending}
        onClick={() => mark.mutate()}
        aria-label={t('picksDoneOf', { guest })}
      >
        {t('picksDone')}
      </Button>
    )
  )
}

type Line = { key: string; icon: IconName; link: ReactNode; when?: string; action?: ReactNode }

/** The address of the first account until somebody enters another one. Mails about picks cannot reach it. */
function describeAddress(email: string, health: Schemas['InstanceHealth'] | undefined): Line[] {
  const canSend = health?.items.find(({ key }) => key === 'mail')?.facts.is_configured === true
  if (!canSend || !email.endsWith('@localhost')) return []
  return [{ key: 'address', icon: 'mail', link: <Link to="/people">{t('enterAddress', { email })}</Link> }]
}

/** Names the most urgent item, and how many more there are. */
function describeHealth(health: Schemas['InstanceHealth'] | undefined): Line[] {
  const failed = health?.items.filter(({ status }) => status === 'fail') ?? []
  const [first, ...others] = [...failed, ...(health?.items.filter(({ status }) => status === 'warn') ?? [])]
  if (!first) return []
  const item = findMessage('health', `item_${first.key}`) ?? first.key
  const text = t(first.status === 'fail' ? 'healthFails' : 'healthWarns', {
    item,
    text: first.text.replaceAll('`', ''),
  })
  return [
    {
      key: 'health',
      icon: 'warning',
      link: <Link to="/health">{text}</Link>,
      ...(others.length > 0 && {
        action: <span className="quiet-text">{t('healthMore', { count: others.length })}</span>,
      }),
    },
  ]
}

function describeGuests({ selections, waiting }: Schemas['Dashboard']): Line[] {
  const picks = selections.map(({ id, event, guest_name, photo_count, round, is_reopening_asked, created_at }) => ({
    key: `picks ${id}`,
    icon: 'heart' as const,
    when: created_at,
    action: <SelectionDone id={id} guest={guest_name ?? t('unnamedGuest')} />,
    link: (
      <Link to="/events/$eventId/picks" params={{ eventId: String(event.id) }}>
        {t(is_reopening_asked ? 'asksToReopen' : round === null ? 'picksSubmitted' : 'picksSubmittedInRound', {
          name: isolate(guest_name ?? t('unnamedGuest')),
          count: photo_count,
          event: isolate(event.event_name),
          round: round ?? 0,
        })}
      </Link>
    ),
  }))
  const uploads = waiting
    .filter(({ guest_uploads }) => guest_uploads > 0)
    .map(({ id, event_name, guest_uploads }) => ({
      key: `uploads ${id}`,
      icon: 'photos' as const,
      link: (
        <Link to="/events/$eventId" params={{ eventId: String(id) }} search={{ review: 'waiting' }}>
          {t('uploadsToReview', { count: guest_uploads, event: isolate(event_name) })}
        </Link>
      ),
    }))
  const notes = waiting
    .filter((event) => event.notes > 0)
    .map((event) => ({
      key: `notes ${event.id}`,
      icon: 'comment' as const,
      link: (
        <Link to="/events/$eventId/todo" params={{ eventId: String(event.id) }}>
          {t('notesToAnswer', { count: event.notes, event: isolate(event.event_name) })}
        </Link>
      ),
    }))
  const comments = waiting
    .filter((event) => event.comments > 0)
    .map((event) => ({
      key: `comments ${event.id}`,
      icon: 'comment' as const,
      link: (
        <Link to="/events/$eventId/comments" params={{ eventId: String(event.id) }} search={{ status: 'pending' }}>
          {t('commentsToReview', { count: event.comments, event: isolate(event.event_name) })}
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
      <Link to="/events/$eventId/share" params={{ eventId: String(id) }}>
        {t('expires', { name: isolate(event_name), when: formatRelativeTime(expires_at) })}
      </Link>
    ),
  }))
  return [...(photos.failed > 0 ? videos : []), ...expiring]
}

/** A name in another direction of writing does not change the order of the sentence around it. */
const isolate = (name: string): string => `\u2068${name}\u2069`
