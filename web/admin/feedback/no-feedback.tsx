import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { translator } from '../app/language.ts'
import { Button, buttonClass } from '../components/button.tsx'
import { Empty } from '../components/page.tsx'
import type { Event } from '../events/event-context.tsx'

const t = translator('feedback')

export function NoPicks({ event }: { event: Event }) {
  const canPick = event.feedback_enabled && (event.allow_favorites || event.allow_likes)
  if (!canPick) return <EmptyWithLink event={event} title={t('picksOff')} text={t('picksOffText')} to="settings" />
  const isEmpty = event.photo_count === 0
  const text = t(isEmpty ? 'noPhotosText' : 'noPicksText')
  return <EmptyWithLink event={event} title={t('noPicks')} text={text} to={isEmpty ? 'photos' : 'share'} />
}

type CommentsProps = { event: Event; isFiltered: boolean; onShowAll: () => void }

export function NoComments({ event, isFiltered, onShowAll }: CommentsProps) {
  if (isFiltered) {
    return (
      <Empty title={t('noneSuch')}>
        <Button onClick={onShowAll}>{t('allComments')}</Button>
      </Empty>
    )
  }
  const canComment = event.feedback_enabled && event.allow_comments
  if (!canComment)
    return <EmptyWithLink event={event} title={t('commentsOff')} text={t('commentsOffText')} to="settings" />
  const text = t(event.moderate_comments ? 'noCommentsModerated' : 'noCommentsText')
  return <EmptyWithLink event={event} title={t('noComments')} text={text} to="share" />
}

const pages = {
  photos: { path: '/events/$eventId', label: 'toPhotos' },
  settings: { path: '/events/$eventId/edit', label: 'toSettings' },
  share: { path: '/events/$eventId/share', label: 'toShare' },
} as const

type LinkProps = { event: Event; title: string; text: string; to: keyof typeof pages; children?: ReactNode }

export const EmptyWithLink = ({ event, title, text, to, children }: LinkProps) => (
  <Empty title={title} text={text}>
    <Link to={pages[to].path} params={{ eventId: String(event.id) }} className={buttonClass('primary')}>
      {t(pages[to].label)}
    </Link>
    {children}
  </Empty>
)
