import { expect, test } from 'vitest'
import { askedBy } from './events-search.ts'

test('an address without anything asks for the first page as the service sorts it', () => {
  expect(askedBy({})).toEqual({ limit: 25 })
})

test('an address is asked as it stands', () => {
  expect(askedBy({ search: 'ana', status: 'live', type: 'wedding', sort: 'expiry', page: 2 })).toEqual({
    limit: 25,
    search: 'ana',
    state: 'live',
    event_type: 'wedding',
    sort: 'expires_at',
    order: 'asc',
    page: 2,
  })
})

test('what an address holds that nobody knows is not asked', () => {
  expect(askedBy({ status: 'gone', sort: 'toString' })).toEqual({ limit: 25 })
})
