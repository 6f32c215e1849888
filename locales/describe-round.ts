import type { GuestRound } from '../contract/gallery/rounds.ts'
import type { Translate } from './catalogs.ts'

type CountKey = 'picksNone' | 'roundCount' | 'roundExtra' | 'roundExtraText' | 'roundCut' | 'roundLocked'
type SentKey = 'roundAsked' | 'roundWaits'
type DueKey = 'roundDue' | 'roundWasDue'
type HintKey = 'roundMissing' | DueKey
type TermsKey = 'roundIncluded' | 'roundEachMore' | 'roundAtLeast' | 'roundAtMost' | DueKey

type CountedRound = Pick<GuestRound, 'purpose' | 'included' | 'maximum' | 'extra_text'>

/** Returns the text of the pill: what `formatRoundCount` returns, and whether it is locked. */
export function formatRoundLabel(
  t: Translate<CountKey>,
  round: CountedRound & Pick<GuestRound, 'state'>,
  count: number,
): string {
  const text = formatRoundCount(t, round, count)
  return isRoundSent(round) ? `${t('roundLocked')} · ${text}` : text
}

/**
 * Returns for example "Album: 14 of 20", "Album: 23 · 3 extra, 12 € each", or beyond the maximum
 * "Album: 30, cut to 20: 10 to remove".
 */
export function formatRoundCount(t: Translate<CountKey>, round: CountedRound, count: number): string {
  const { purpose, maximum, extra_text: text } = round
  const included = countIncluded(round)
  if (maximum !== null && count > maximum) return t('roundCut', { purpose, count, maximum, over: count - maximum })
  if (count > included) {
    return t(text === '' ? 'roundExtra' : 'roundExtraText', { purpose, count, extra: count - included, text })
  }
  return included === 0 ? t('picksNone') : t('roundCount', { purpose, count, included })
}

/** A round that was opened again can have a maximum below what the package includes. */
const countIncluded = ({ included, maximum }: Pick<GuestRound, 'included' | 'maximum'>): number =>
  Math.min(included, maximum ?? included)

export const isRoundSent = ({ state }: Pick<GuestRound, 'state'>): boolean =>
  state === 'submitted' || state === 'locked'

type NumberedRound = DueRound & Pick<GuestRound, 'included' | 'minimum' | 'maximum' | 'extra_text'>
type StatedRound = NumberedRound & Pick<GuestRound, 'state' | 'is_reopening_asked'>

/** Returns what happens next with sent picks, the terms before the first pick, or what is left to do; empty if nothing. */
export function formatRoundState(
  t: Translate<SentKey | HintKey | TermsKey>,
  round: StatedRound,
  options: { count: number; locale: string; now: number },
): string {
  if (isRoundSent(round)) return formatSentState(t, round)
  return round.state === 'open' && options.count === 0
    ? formatTerms(t, round, options)
    : formatRoundHint(t, round, options)
}

/** Returns for example "20 included, each more 12 €, at most 30, by 12 December". */
function formatTerms(
  t: Translate<TermsKey>,
  round: NumberedRound,
  { locale, now }: { locale: string; now: number },
): string {
  const { minimum, maximum, extra_text: text } = round
  const included = countIncluded(round)
  const days = daysUntilDue(round, now)
  return [
    included > 0 && t('roundIncluded', { count: included }),
    text !== '' && (maximum === null || maximum > included) && t('roundEachMore', { text }),
    minimum > 0 && t('roundAtLeast', { count: minimum }),
    maximum !== null && t('roundAtMost', { count: maximum }),
    days !== null && formatDue(t, round, { locale, days, hasWeekday: false }),
  ]
    .filter(Boolean)
    .join(', ')
}

/** Returns what the photographer does next with picks that were sent; empty if nothing. */
function formatSentState(
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
    isDueShown && formatDue(t, round, { locale, days, hasWeekday: days >= 0 }),
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

function formatDue(
  t: Translate<DueKey>,
  { due_on }: DueRound,
  { locale, days, hasWeekday }: { locale: string; days: number; hasWeekday: boolean },
): string {
  const format = new Intl.DateTimeFormat(locale, {
    ...(hasWeekday && { weekday: 'long' }),
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  })
  return t(days < 0 ? 'roundWasDue' : 'roundDue', { date: format.format(Date.parse(due_on ?? '')) })
}
