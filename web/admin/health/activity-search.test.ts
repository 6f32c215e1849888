import { describe, expect, test } from 'vitest'
import { activitySearch, asked, isNarrowed } from './activity-search.ts'

describe('the address of the activity', () => {
  test('says what is listed', () => {
    const search = { page: 2, event: 7, user: '3', action: 'createEvent', since: '2027-06-20' }
    expect(activitySearch(search)).toEqual({ ...search, user: 3 })
    expect(isNarrowed({ page: 2 })).toBe(false)
    expect(isNarrowed({ since: '2027-06-20' })).toBe(true)
  })

  test('may say anything: what is not understood is left out', () => {
    const odd = { page: 0, event: 'seven', user: -1, action: 'a b', since: '2027-13-45', other: 1 }
    expect(activitySearch(odd)).toEqual({})
  })

  test('means the first moment of a day, where the reader is', () => {
    const { since, ...rest } = asked({ event: 7, since: '2027-06-20' })
    expect(rest).toEqual({ page: 1, event_id: 7 })
    expect(new Date(since ?? '').toString()).toContain('Jun 20 2027 00:00:00')
  })
})
