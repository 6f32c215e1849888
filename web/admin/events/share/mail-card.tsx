import { Link } from '@tanstack/react-router'
import { translator } from '../../app/language.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/page.tsx'
import { useEventAction } from '../actions/event-actions.tsx'
import type { Event } from '../event-context.tsx'
import { getEventState } from '../event-state.ts'

const t = translator('events')

export function MailCard({ event, isLocked }: { event: Event; isLocked: boolean }) {
  const runAction = useEventAction()
  const { customer_email: email, customer_name: name } = event
  const isLive = getEventState(event) === 'live'
  return (
    <Card title={t('mailTitle')}>
      {email ? (
        <div className="share-line">
          <p className="share-fact" dir="auto">
            {name ? `${name} · ${email}` : email}
          </p>
          <Button icon="mail" disabled={isLocked || !isLive} onClick={() => runAction('resend', event)}>
            {t('resendMail')}
          </Button>
        </div>
      ) : (
        <p className="share-fact">
          {t('noCustomer')}{' '}
          <Link to="/events/$eventId/edit" params={{ eventId: String(event.id) }} hash="about">
            {t('addCustomer')}
          </Link>
        </p>
      )}
    </Card>
  )
}
