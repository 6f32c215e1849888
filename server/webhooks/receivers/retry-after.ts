import { seconds } from '../../platform/time/clock.ts'

/** The three date formats of HTTP; `Date.parse` alone accepts much more. */
const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w :-]+$/

/** Returns milliseconds, or null if the header is absent or invalid. */
export function parseRetryAfter(header: string | undefined, now: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return seconds(Number(text))
  const until = httpDate.test(text) ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) : Number.NaN
  return Number.isNaN(until) ? null : Math.max(0, until - now)
}
