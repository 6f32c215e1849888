import { Link } from '@tanstack/react-router'
import { translator } from '../app/language.ts'
import { formatTime } from '../components/format-time.ts'
import { Outcome } from './outcome.tsx'
import type { DeliverySummary } from './webhooks-query.ts'

const t = translator('webhooks')

type Props = {
  webhookId: number
  delivery: DeliverySummary
  isSelected?: boolean
  onSelect?: (id: number, isSelected: boolean) => void
}

export function DeliveryRow({ webhookId, delivery, isSelected = false, onSelect }: Props) {
  const { id, event_type, created_at, attempt_count, replayed_from } = delivery
  return (
    <li className="webhooks-delivery">
      {onSelect && (
        <input
          type="checkbox"
          aria-label={t('selectDelivery', { id: String(id), type: event_type })}
          checked={isSelected}
          onChange={({ target }) => onSelect(id, target.checked)}
        />
      )}
      <span className="webhooks-what">
        <Link
          to="/webhooks/$webhookId"
          params={{ webhookId: String(webhookId) }}
          search={(before) => ({ ...before, delivery: id })}
          resetScroll={false}
        >
          <code>{event_type}</code> <span className="quiet-text">{t('numbered', { id: String(id) })}</span>
        </Link>
        {replayed_from !== null && <span className="quiet-text">{t('replayOf', { id: String(replayed_from) })}</span>}
      </span>
      <Outcome delivery={delivery} />
      <span className="webhooks-when quiet-text">
        <time dateTime={created_at}>{formatTime(created_at)}</time>
        {attempt_count > 1 && <span>{t('attempts', { count: attempt_count })}</span>}
      </span>
    </li>
  )
}
