import { useQuery } from '@tanstack/react-query'
import { translator } from '../../app/language.ts'
import { Button } from '../../components/button.tsx'
import { formatDay, formatNumber } from '../../components/format-time.ts'
import { type Event, useCanChange } from '../event-context.tsx'
import { firstLookQuery, useCompletion } from './first-look-query.ts'

const t = translator('events')

/** How many photos are there of an open first look, and the button to complete it. */
export function FirstLookLine({ event }: { event: Event }) {
  const canEdit = useCanChange('events.edit')
  const { data: firstLook } = useQuery(firstLookQuery(event.id))
  const complete = useCompletion(event.id)
  if (!firstLook || firstLook.completed_at !== null) return null
  const facts = {
    count: formatNumber(event.photo_count),
    about: formatNumber(firstLook.about_count),
    date: formatDay(firstLook.complete_on),
  }
  return (
    <div className="buttons">
      <span>{t('firstLookLine', facts)}</span>
      {canEdit && (
        <Button icon="check" isBusy={complete.isPending} onClick={() => complete.mutate()}>
          {t('firstLookComplete')}
        </Button>
      )}
    </div>
  )
}
