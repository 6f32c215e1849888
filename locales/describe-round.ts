import type { GuestRound } from '../contract/gallery/rounds.ts'
import type { Translate } from './catalogs.ts'

type CountKey = 'picksNone' | 'roundCount' | 'roundExtra' | 'roundExtraText' | 'roundCut'
type SentKey = 'roundAsked' | 'roundWaits'
type HintKey = 'roundMissing' | 'roundDue' | 'roundWasDue'

type CountedRound = Pick<GuestRound, 'purpose' | 'included' | 'maximum' | 'extra_text'>

/** Returns for example "Album: 14 of 20", "Album: 23 · 3 extra, 12 € each", or beyond the maximum "Album: 30 → 20, 10 to remove". */
export function formatRoundCount(t: Translate<CountKey>, round: CountedRound, count: number): string {
  const { purpose, included, maximum, extra_text: text } = round
  if (maximum !== null && count > maximum) return t('roundCut', { purpose, count, maximum, over: count - maximum })
  if (count > included) {
    return t(text === '' ? 'roundExtra' : 'roundExtraText', { purpose, count, extra: count - included, text })
  }
  return included === 0 ? t('picksNone') : t('roundCount', { purpose, count, included })
}

export const isRoundSent = ({ state }: Pick<GuestRound, 'state'>): boolean =>
  state === 'submitted' || state === 'locked'

/** Returns what the photographer does next with picks that were sent; empty if nothing. */
export function formatSentState(
  t: Translate<SentKey>,
  { state, is_reopening_asked }: Pick<GuestRound, 'state' | 'is_reopening_asked'>,
): string {
  if (is_reopening_asked) return t('roundAsked')
  return state === 'submitted' ? t('roundWaits') : ''
}

type DueRound = Pick<GuestRound, 'due_on' | 'time_zone'>

const dueSoonDays = 7

/**
 * Returns for example "2 more to pick · by Friday, 12 May"; empty if there is nothing to say. The due date is left out
 * until it is near, unless `showsDueDate`.
 */
export function formatRoundHint(
  t: Translate<HintKey>,
  round: DueRound & Pick<GuestRound, 'minimum'>,
  { count, locale, now, showsDueDate = false }: { count: number; locale: string; now: number; showsDueDate?: boolean },
): string {
  const missing = round.minimum - count
  const days = daysUntilDue(round, now)
  const isDueShown = days !== null && (showsDueDate || days <= dueSoonDays)
  return [
    missing > 0 && t('roundMissing', { count: missing }),
    isDueShown && t(days < 0 ? 'roundWasDue' : 'roundDue', { date: formatDueDay(round, locale, days) }),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Returns the number of days until the due date in the time zone of the package; negative after it. */
export function daysUntilDue({ due_on, time_zone }: DueRound, now: number): number | null {
  if (due_on === null) return null
  // The Swedish format of a date is that of ISO 8601.
  const today = new Intl.DateTimeFormat('sv', { timeZone: time_zone }).format(now)
  return Math.round((Date.parse(due_on) - Date.parse(today)) / 86_400_000)
}

const formatDueDay = ({ due_on }: DueRound, locale: string, days: number): string =>
  new Intl.DateTimeFormat(locale, {
    ...(days >= 0 && { weekday: 'long' }),
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  }).format(Date.parse(due_on ?? ''))
