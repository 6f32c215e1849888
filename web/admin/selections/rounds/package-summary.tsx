import { translator } from '../../app/language.ts'
import { formatDay, formatNumber } from '../../components/format-time.ts'
import type { Package } from '../../events/package/package-query.ts'

const t = translator('rounds')

export function PackageSummary({ terms }: { terms: Package }) {
  const { purpose, included, minimum, maximum, extra_text: extraText, due_on: dueOn } = terms
  const facts = [
    t('includes', { count: included }),
    minimum > 0 && t('atLeast', { number: formatNumber(minimum) }),
    maximum === null ? t('unlimited') : t('atMost', { number: formatNumber(maximum) }),
    extraText !== '' && t('perExtra', { text: extraText }),
    dueOn && t('due', { date: formatDay(dueOn) }),
    t(terms.locks_on_submission ? 'locksFact' : 'waitsFact'),
  ]
  return (
    <p className="package-summary">
      <strong dir="auto">{purpose}</strong>
      <span className="quiet-text">{facts.filter(Boolean).join(' · ')}</span>
    </p>
  )
}
