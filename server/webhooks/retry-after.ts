import { seconds } from '../platform/clock.ts'

/** The three forms of a date in HTTP; `Date.parse` alone would take much that is none. */
const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w :-]+$/

/** How long a receiver asks us to wait, from a `Retry-After` of seconds or of a date; null where it does not, or not so. */
export function parseRetryAfter(header: string | undefined, now: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return seconds(Number(text))
  const until = httpDate.test(text) ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) : Number.NaN
  return Number.isNaN(until) ? null : Math.max(0, until - now)
}
