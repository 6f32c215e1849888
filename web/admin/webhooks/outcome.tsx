import { sourceLanguage } from '../../../contract/languages.ts'
import { language, translator } from '../app/language.ts'
import { formatRelativeTime, formatTime } from '../components/format-time.ts'
import { Badge } from '../components/page.tsx'
import type { DeliverySummary } from './webhooks-query.ts'

const t = translator('webhooks')

export const Outcome = ({ delivery }: { delivery: DeliverySummary }) => (
  <span className="webhooks-outcome">
    <Badge tone={statusTone[delivery.status]}>{statusLabel(delivery)}</Badge>
    <span className="quiet-text">{outcomeLabel(delivery)}</span>
  </span>
)

/** Patterns of English failure reasons of the service, in current and earlier words, with the key of their translation. */
const reasonPatterns = [
  [/(?:responded with|answered) (\d+)[.;] redirects/i, 'reasonRedirect'],
  [/(?:responded with|answered) (\d+)\./, 'reasonAnswered'],
  [/refused the connection|refuses connections/, 'reasonRefuses'],
  [/(?:closed|cut) the connection/, 'reasonCut'],
  [/headers of the (?:response|answer)/, 'reasonHeaders'],
  [/not valid HTTP|as a web server does/, 'reasonNoServer'],
  [/No secure connection/, 'reasonCertificate'],
  [/receiver is unreachable|cannot be reached/, 'reasonUnreachable'],
  [/not (?:respond|answer) within (\d+) ms/, 'reasonTime'],
  [/receiver is too long|more than an answer can hold/, 'reasonTooMuch'],
  [/cannot be resolved|does not resolve/, 'reasonNoName'],
  [/was inactive|was not active/, 'reasonOff'],
  [/ENCRYPTION_KEY/, 'reasonSecret'],
  [/64 KB/, 'reasonTemplate'],
  [/^The URL of the receiver/, 'reasonAddress'],
  [/see the log/i, 'reasonLog'],
] as const

function reasonLabel(reason: string): string {
  if (language === sourceLanguage) return reason
  for (const [pattern, key] of reasonPatterns) {
    const match = pattern.exec(reason)
    if (match) return t(key, { value: match[1] ?? '' })
  }
  return reason
}

const statusTone = { pending: 'warn', success: 'good', failed: 'bad' } as const

function statusLabel({ status, next_retry_at }: DeliverySummary): string {
  if (status === 'pending') return t(next_retry_at === null ? 'underWay' : 'triedAgain')
  return t(status === 'success' ? 'delivered' : 'failed')
}

/** Returns the status and latency of a success, or the failure reason and the time of the next attempt. */
function outcomeLabel(delivery: DeliverySummary): string {
  const { response_status: status, latency_ms, last_error, next_retry_at } = delivery
  if (delivery.status === 'success') return t('answeredIn', { status: String(status ?? ''), ms: latency_ms ?? 0 })
  const reason = last_error === null ? '' : reasonLabel(last_error)
  const nextAttempt = next_retry_at === null ? '' : t('nextTry', { when: formatRetryTime(next_retry_at) })
  return [reason, nextAttempt].filter(Boolean).join(' ')
}

/** Formats a time up to 24 hours away as relative, a later one as absolute. */
const formatRetryTime = (iso: string): string =>
  Date.parse(iso) - Date.now() > 24 * 3_600_000 ? formatTime(iso) : formatRelativeTime(iso)
