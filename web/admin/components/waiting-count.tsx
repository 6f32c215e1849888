import './waiting-count.css'
import { formatNumber } from './format-time.ts'

/** A badge with the number of what waits; nothing for 0. `label` has the number in words, for screen readers. */
export const WaitingCount = ({ count, label }: { count: number; label: string }) =>
  count > 0 && (
    <span className="waiting-count">
      <span aria-hidden="true">{formatNumber(count)}</span>
      <span className="heard">{label}</span>
    </span>
  )
