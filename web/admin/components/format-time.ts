import { getReaderLocale } from '../../shared/reader-locale.ts'
import { language, translator } from '../app/language.ts'

const t = translator('parts')

const locale = getReaderLocale(language, navigator.languages)

const formats = {
  date: new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }),
  day: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }),
  time: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }),
  clock: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }),
}

/** Formats the date of an ISO time in the time zone of the user. */
export const formatDate = (iso: string): string => formats.date.format(new Date(iso))
export const formatTime = (iso: string): string => formats.time.format(new Date(iso))
/** Formats a capture time, which is that on the clock of the camera, in UTC. */
export const formatCaptureTime = (iso: string): string => formats.clock.format(new Date(iso))
/** Formats a day such as `event_date`, without a conversion to the time zone of the user. */
export const formatDay = (day: string): string => formats.day.format(new Date(`${day.slice(0, 10)}T00:00:00Z`))

const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
const units = [
  ['minute', 60],
  ['hour', 3600],
  ['day', 86_400],
] as const

/** Returns text such as "3 hours ago" or "in 2 days", or the date if it is more than 30 days away. */
export function formatRelativeTime(iso: string, now = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1000
  if (Math.abs(seconds) > 30 * 86_400) return formatDate(iso)
  const [unit, size] = units.findLast(([, size]) => Math.abs(seconds) >= size) ?? (['minute', 60] as const)
  const amount = Math.trunc(seconds / size)
  return amount === 0 ? t('justNow') : relative.format(amount, unit)
}

export const formatNumber = (value: number): string => value.toLocaleString(locale)
