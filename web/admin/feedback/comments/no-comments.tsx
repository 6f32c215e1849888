import { Link } from '@tanstack/react-router'
import { translator } from '../../app/language.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { Empty } from '../../components/page.tsx'
import type { Event } from '../../events/event-context.tsx'

const t = translator('proofing')

type Props = { event: Event; isFiltered: boolean; onShowAll: () => void }

export function NoComments({ event, isFiltered, onShowAll }: Props) {
  const params = { eventId: String(event.id) }
  if (isFiltered) {
    return (
      <Empty title={t('noneSuch')}>
        <Button onClick={onShowAll}>{t('allComments')}</Button>
      </Empty>
    )
  }
  if (!event.feedback_enabled || !event.allow_comments) {
    return (
      <Empty title={t('commentsOff')} text={t('commentsOffText')}>
        <Link to="/events/$eventId/edit" params={params} className={buttonClass('primary')}>
          {t('toSettings')}
        </Link>
      </Empty>
    )
  }
  return (
    <Empty title={t('noComments')} text={t(event.moderate_comments ? 'noCommentsModerated' : 'noCommentsText')}>
      <Link to="/events/$eventId/share" params={params} className={buttonClass('primary')}>
        {t('toShare')}
      </Link>
    </Empty>
  )
}
