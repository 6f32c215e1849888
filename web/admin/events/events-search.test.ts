import { expect, test } from 'vitest'
import { buildEventListQuery } from './events-search.ts'

test('requests the first page in the default order for an empty address', () => {
  expect(buildEventListQuery({})).toEqual({ limit: 25 })
})

test('translates each search parameter of the address; ignores unknown states and orders', () => {
  expect(buildEventListQuery({ search: 'ana', status: 'live', type: 'wedding', sort: 'expiry', page: 2 })).toEqual({
    limit: 25,
    search: 'ana',
    state: 'live',
    event_type: 'wedding',
    sort: 'expires_at',
    order: 'asc',
    page: 2,
  })
  expect(buildEventListQuery({ status: 'gone', sort: 'toString' })).toEqual({ limit: 25 })
})
