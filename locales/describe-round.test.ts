import { expect, test } from 'vitest'
import type { Translate } from './catalogs.ts'
import {
  daysUntilDue,
  formatRoundCount,
  formatRoundHint,
  formatRoundLabel,
  formatRoundState,
} from './describe-round.ts'
import english from './en/gallery.json' with { type: 'json' }
import { t } from './translate.ts'

const translate: Translate<keyof typeof english> = (key, values) => t('en-GB', english, key, values)
const album = {
  purpose: 'Album',
  included: 20,
  minimum: 10,
  maximum: 30,
  extra_text: '12 €',
  due_on: '2027-05-12',
  time_zone: 'Europe/Berlin',
}

test.each([
  [{}, 14, 'Album: 14 of 20'],
  [{}, 20, 'Album: 20 of 20'],
  [{}, 23, 'Album: 23 · 3 extra, 12 € each'],
  [{ extra_text: '' }, 23, 'Album: 23 · 3 extra'],
  [{ maximum: 20 }, 30, 'Album: 30, cut to 20: 10 to remove'],
  [{ maximum: 15 }, 15, 'Album: 15 of 15'],
  [{ maximum: null }, 1_200, 'Album: 1,200 · 1,180 extra, 12 € each'],
  [{ included: 0 }, 0, 'No picks yet'],
])('counts what is picked: %o and %i picks', (numbers, count, text) => {
  expect(formatRoundCount(translate, { ...album, ...numbers }, count)).toBe(text)
})

const stateOf = (round: object, count = 0) =>
  formatRoundState(
    translate,
    { ...album, state: 'open', is_reopening_asked: false, ...round },
    { count, locale: 'en-GB', now: Date.parse('2027-05-01T10:00:00Z') },
  )

test.each([
  [{}, '20 included, each more 12 €, at least 10, at most 30, by 12 May'],
  [{ minimum: 0, maximum: null, due_on: null }, '20 included, each more 12 €'],
  [{ minimum: 0, maximum: 20, extra_text: '' }, '20 included, at most 20, by 12 May'],
  [{ included: 0, minimum: 0, maximum: null, due_on: '2027-04-30' }, 'each more 12 €, was due 30 April'],
  [{ included: 0, minimum: 0, maximum: null, extra_text: '', due_on: null }, ''],
])('says the terms before the first pick: %o', (round, text) => {
  expect(stateOf(round)).toBe(text)
})

test('says what is left to do after the first pick, and what happens with sent picks', () => {
  expect(stateOf({}, 8)).toBe('2 more to pick')
  expect(stateOf({ state: 'reopened' })).toBe('10 more to pick')
  expect(stateOf({ state: 'submitted' }, 12)).toBe('not accepted yet')
  expect(stateOf({ state: 'locked' }, 12)).toBe('')
  expect(stateOf({ state: 'locked', is_reopening_asked: true }, 12)).toBe('you asked to open it again')
})

test('says that sent picks are locked', () => {
  const labels = (['open', 'reopened', 'submitted', 'locked'] as const).map((state) =>
    formatRoundLabel(translate, { ...album, state }, 12),
  )
  expect(labels).toEqual(['Album: 12 of 20', 'Album: 12 of 20', 'Locked · Album: 12 of 20', 'Locked · Album: 12 of 20'])
})

const hint = (now: string, count: number, more = {}) =>
  formatRoundHint(translate, album, { count, locale: 'en-GB', now: Date.parse(now), ...more })

test('says how many are missing, and the due date once it is near', () => {
  expect(hint('2027-05-01T10:00:00Z', 8)).toBe('2 more to pick')
  expect(hint('2027-05-01T10:00:00Z', 10)).toBe('')
  expect(hint('2027-05-01T10:00:00Z', 10, { showsDueDate: true })).toBe('by Wednesday 12 May')
  expect(hint('2027-05-05T10:00:00Z', 9)).toBe('1 more to pick · by Wednesday 12 May')
  expect(hint('2027-05-14T10:00:00Z', 10)).toBe('was due 12 May')
})

test('counts the days until the due date in the time zone of the package', () => {
  const lateEvening = Date.parse('2027-05-12T22:30:00Z')
  expect(daysUntilDue(album, lateEvening)).toBe(-1)
  expect(daysUntilDue({ ...album, time_zone: 'UTC' }, lateEvening)).toBe(0)
  expect(daysUntilDue({ ...album, time_zone: 'America/New_York' }, Date.parse('2027-05-05T02:00:00Z'))).toBe(8)
  expect(daysUntilDue({ ...album, due_on: null }, lateEvening)).toBeNull()
})
