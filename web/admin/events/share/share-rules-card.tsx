import { useMutation } from '@tanstack/react-query'
import { translator } from '../../app/language.ts'
import { Button } from '../../components/button.tsx'
import { SwitchField } from '../../components/field.tsx'
import { formatTime } from '../../components/format-time.ts'
import { showError, showNotice } from '../../components/notices.tsx'
import { Card } from '../../components/page.tsx'
import { useEventAction } from '../actions/event-actions.tsx'
import type { Event } from '../event-context.tsx'
import { changeEvent, updateCachedEvent } from '../event-queries.ts'

const t = translator('events')

export function ShareRulesCard({ event, isLocked }: { event: Event; isLocked: boolean }) {
  const runAction = useEventAction()
  const change = useMutation({
    mutationFn: (body: Partial<Pick<Event, 'allow_downloads' | 'watermark_downloads'>>) => changeEvent(event.id, body),
    onSuccess: async (changed) => {
      showNotice(t('saved'))
      await updateCachedEvent(changed)
    },
    onError: showError,
  })
  // Optimistic update: shows the new value while it is saved, and the stored value again after an error.
  const rules = { ...event, ...(change.isPending && change.variables) }
  const { expires_at: expiry } = event
  const time = expiry && formatTime(expiry)
  return (
    <Card title={t('sectionRules')}>
      <div className="share-line">
        <p className="share-fact">
          {time === null ? t('neverExpires') : t(event.is_active ? 'openUntilTime' : 'closedSinceTime', { time })}
        </p>
        <Button icon="clock" disabled={isLocked} onClick={() => runAction('moreTime', event)}>
          {t('moreTime')}
        </Button>
      </div>
      {event.reveal_at && <p className="help">{t('revealsAt', { time: formatTime(event.reveal_at) })}</p>}
      <SwitchField
        label={t('switch_allow_downloads')}
        checked={rules.allow_downloads}
        disabled={isLocked}
        onChange={({ target }) => change.mutate({ allow_downloads: target.checked })}
      />
      <SwitchField
        label={t('switch_watermark_downloads')}
        checked={rules.watermark_downloads}
        disabled={isLocked || !rules.allow_downloads}
        onChange={({ target }) => change.mutate({ watermark_downloads: target.checked })}
      />
      {event.allow_downloads && (
        <p className="help">
          {event.download_max_px === null ? t('fullSize') : t('cappedSize', { px: event.download_max_px })}
        </p>
      )}
    </Card>
  )
}
