import { expect, test } from 'vitest'
import { isFiltered, parseActivitySearch, toActivityQuery } from './activity-search.ts'

test('the address of the activity page selects the listed actions; may contain anything: invalid values are omitted', () => {
  const search = {
    by: 'accounts',
    before: '1700000000000.createEvent.7.3',
    event: 7,
    user: '3',
    action: 'createEvent',
    since: '2027-06-20',
  }
  expect(parseActivitySearch(search)).toEqual({ ...search, user: 3 })
  expect(parseActivitySearch({ user: 3 })).toEqual({ by: 'accounts', user: 3 })
  expect(isFiltered({ by: 'accounts', before: '1.upload.7.' })).toBe(false)
  expect(isFiltered({ since: '2027-06-20' })).toBe(true)
  const odd = { by: 'all', before: 'now', event: 'seven', user: -1, action: 'a b', since: '2027-13-45', other: 1 }
  expect(parseActivitySearch(odd)).toEqual({})
})

test('the address of the activity page starts a day at midnight in local time', () => {
  const { since, ...rest } = toActivityQuery({ event: 7, since: '2027-06-20' })
  expect(rest).toEqual({ by: 'guests', event_id: 7 })
  expect(new Date(since ?? '').toString()).toContain('Jun 20 2027 00:00:00')
})
