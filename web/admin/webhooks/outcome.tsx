import { Badge } from '../components/page.tsx'
import { outcomeLabel, statusLabel, statusTone } from './delivery-labels.ts'
import type { DeliverySummary } from './webhooks-query.ts'

export const Outcome = ({ delivery }: { delivery: DeliverySummary }) => (
  <span className="webhooks-outcome">
    <Badge tone={statusTone[delivery.status]}>{statusLabel(delivery)}</Badge>
    <span className="quiet-text">{outcomeLabel(delivery)}</span>
  </span>
)
