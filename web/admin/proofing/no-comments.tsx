import { Link } from '@tanstack/react-router'
import { sayIn } from '../desk/language.ts'
import type { Event } from '../events/event-here.tsx'
import { Button, buttonClass } from '../parts/button.tsx'
import { Empty } from '../parts/page.tsx'

const say = sayIn('proofing')

type Props = { event: Event; isFiltered: boolean; onAll: () => void }

export function NoComments({ event, isFiltered, onAll }: Props) {
  const params = { eventId: String(event.id) }
  if (isFiltered) {
    return (
      <Empty title={say('noneSuch')}>
        <Button onClick={onAll}>{say('allComments')}</Button>
      </Empty>
    )
  }
  if (!event.feedback_enabled || !event.allow_comments) {
    return (
      <Empty title={say('commentsOff')} text={say('commentsOffText')}>
        <Link to="/events/$eventId/edit" params={params} className={buttonClass('primary')}>
          {say('toSettings')}
        </Link>
      </Empty>
    )
  }
  return (
    <Empty title={say('noComments')} text={say(event.moderate_comments ? 'noCommentsModerated' : 'noCommentsText')}>
      <Link to="/events/$eventId/share" params={params} className={buttonClass('primary')}>
        {say('toShare')}
      </Link>
    </Empty>
  )
}
