import { expect, test } from 'vitest'
import { getZipRoute, leaveOutUnknown, splitDownload } from './download-parts.ts'

const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index)

test('puts up to 500 photos into one ZIP by their ids, and more by the filters if they are all that is shown', () => {
  const shown = { ids: numbers(500), asked: {} }
  expect(splitDownload(numbers(500), shown)).toEqual([{ ids: numbers(500) }])
  const asked = { filter: 'favorited', sort: 'filename_asc' }
  expect(splitDownload(numbers(501).reverse(), { ids: numbers(501), asked })).toEqual([
    { filters: { filter: 'favorited' } },
  ])
})

test('splits more than 500 other photos into even parts and leaves none out', () => {
  const parts = splitDownload(numbers(1100), { ids: numbers(2000), asked: {} })
  const ids = parts.map((part) => ('ids' in part ? part.ids : []))
  expect(ids.map(({ length }) => length)).toEqual([367, 367, 366])
  expect(ids.flat()).toEqual(numbers(1100))
})

test('uses the same query for a ZIP and its estimate, without empty filters', () => {
  expect(getZipRoute({ ids: [3, 1] }, 'zip', {})).toEqual({ path: '/download-selected', query: { ids: '3,1' } })
  expect(getZipRoute({ ids: [3, 1] }, 'estimate', {})).toEqual({ path: '/download-estimate', query: { ids: '3,1' } })
  const filters = { search: 'a b&c', filter: '' }
  expect(getZipRoute({ filters }, 'zip', {})).toEqual({ path: '/download-all', query: { search: 'a b&c' } })
  const options = { w: '1280', folders: 'category' } as const
  expect(getZipRoute({ filters }, 'estimate', options).query).toEqual({ search: 'a b&c', ...options })
})

test('leaves out the ids that the service does not know', () => {
  const error = { code: 'INVALID_PHOTO_IDS', paths: ['ids.0', 'ids.2'] }
  expect(leaveOutUnknown({ ids: [7, 8, 9] }, error)).toEqual({ part: { ids: [8] }, goneCount: 2 })
  expect(leaveOutUnknown({ ids: [7, 8, 9] }, { ...error, paths: [] })).toBeNull()
  expect(leaveOutUnknown({ ids: [7, 8, 9] }, { ...error, code: 'NO_PHOTOS' })).toBeNull()
  expect(leaveOutUnknown({ filters: {} }, error)).toBeNull()
})
