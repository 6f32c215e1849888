import { describe, expect, test } from 'vitest'
import { isFiltered, parseActivitySearch, toActivityQuery } from './activity-search.ts'

describe('the address of the activity page', () => {
  test('selects the listed actions', () => {
    const search = { page: 2, event: 7, user: '3', action: 'createEvent', since: '2027-06-20' }
    expect(parseActivitySearch(search)).toEqual({ ...search, user: 3 })
    expect(isFiltered({ page: 2 })).toBe(false)
    expect(isFiltered({ since: '2027-06-20' })).toBe(true)
  })

  test('may contain anything: invalid values are omitted', () => {
    const odd = { page: 0, event: 'seven', user: -1, action: 'a b', since: '2027-13-45', other: 1 }
    expect(parseActivitySearch(odd)).toEqual({})
  })

  test('starts a day at midnight in local time', () => {
    const { since, ...rest } = toActivityQuery({ event: 7, since: '2027-06-20' })
    expect(rest).toEqual({ page: 1, event_id: 7 })
    expect(new Date(since ?? '').toString()).toContain('Jun 20 2027 00:00:00')
  })
})
