import { Link } from '@tanstack/react-router'
import type { Schemas } from '../api/api.ts'
import { findMessage, translator } from '../app/language.ts'
import { buttonClass } from '../components/button.tsx'
import { FixLines } from './fix-line-list.tsx'
import { getFixLines } from './fix-lines.ts'
import { StatusBadge } from './status-badge.tsx'
import { TextWithCode } from './text-with-code.tsx'

const t = translator('health')

type Item = Schemas['HealthItem']

const urgency = { fail: 0, warn: 1, ok: 2 }

export function HealthItems({ items }: { items: Item[] }) {
  const sorted = items.toSorted((a, b) => urgency[a.status] - urgency[b.status])
  return (
    <ul className="health-items">
      {sorted.map((item) => (
        <li key={item.key} className={item.status}>
          <div className="health-item-head">
            <h2>{findMessage('health', `item_${item.key}`) ?? item.key}</h2>
            <StatusBadge status={item.status} />
          </div>
          <p>
            <TextWithCode text={item.text} />
          </p>
          {item.fix !== null && <Fix item={item} fix={item.fix} />}
        </li>
      ))}
    </ul>
  )
}

function Fix({ item, fix }: { item: Item; fix: string }) {
  const lines = getFixLines(item, location.origin)
  return (
    <div className="health-fix">
      <p>
        <TextWithCode text={fix} />
      </p>
      {lines.length > 0 && <FixLines lines={lines} />}
      {item.key === 'mail' && (
        <Link to="/mail" className={buttonClass()}>
          {t('toOutbox')}
        </Link>
      )}
      {item.key === 'webhooks' && (
        <Link to="/webhooks" className={buttonClass()}>
          {t('toWebhooks')}
        </Link>
      )}
    </div>
  )
}
