import { Badge } from '../parts/page.tsx'
import { outcomeWords, statusTone, statusWords } from './delivery-words.ts'
import type { DeliverySummary } from './webhooks-query.ts'

export const Outcome = ({ delivery }: { delivery: DeliverySummary }) => (
  <span className="webhooks-outcome">
    <Badge tone={statusTone[delivery.status]}>{statusWords(delivery)}</Badge>
    <span className="quiet-text">{outcomeWords(delivery)}</span>
  </span>
)
