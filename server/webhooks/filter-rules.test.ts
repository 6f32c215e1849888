import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { catchAppError } from '../../tests/support/clients/app-errors.ts'
import { assertFilter, passesFilter } from './filter-rules.ts'

const envelope = {
  type: 'photo.uploaded',
  data: {
    event: { id: 7, event_type: 'wedding', event_date: null, is_draft: false },
    photo: { category_id: 3 },
    photo_ids: [4, 5],
  },
}

describe('a filter', () => {
  test.each<[string, object, boolean]>([
    ['without a key lets everything pass', {}, true],
    ['wants its value at its path', { 'data.event.event_type': 'wedding' }, true],
    ['refuses another value', { 'data.event.event_type': 'party' }, false],
    ['reaches the whole envelope', { type: 'photo.uploaded' }, true],
    ['wants all of its keys', { 'data.event.id': 7, 'data.photo.category_id': 4 }, false],
    ['takes any one of a list', { 'data.photo.category_id': [1, 2, 3] }, true],
    ['refuses what is not in the list', { 'data.photo.category_id': [1, 2] }, false],
    ['compares strictly: a text is no number', { 'data.event.id': '7' }, false],
    ['compares strictly: 0 is not false', { 'data.event.is_draft': 0 }, false],
    ['finds null where null stands', { 'data.event.event_date': null }, true],
    ['takes null in a list', { 'data.event.event_date': ['2026-06-20', null] }, true],
    ['does not take what is missing for null', { 'data.event.nothing': null }, false],
    ['does not look into texts', { 'type.length': 14 }, false],
    ['does not take a list for one of its members', { 'data.photo_ids': 4 }, false],
    ['names members of lists by their position', { 'data.photo_ids.1': 5 }, true],
    ['finds nothing that the envelope has not itself', { 'data.constructor.name': 'Object' }, false],
  ])('%s', (_what, filter, passes) => {
    assertFilter(filter)
    expect(passesFilter(filter, envelope)).toBe(passes)
  })
})

describe('rejects a filter at `filter`', () => {
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`key_${index}`, 1]))
  const paths = 'must only have paths such as data.event.event_type as keys'
  const plainValues = 'must only have strings, numbers, booleans, null or lists of these as values'
  const longText = 'must not contain a string of more than 500 characters'
  test.each<[string, object, string]>([
    ['for an empty path', { '': 1 }, paths],
    ['for an empty name in a path', { 'data..id': 1 }, paths],
    ['for a path that ends in a dot', { 'data.': 1 }, paths],
    ['for a path that begins with a dot', { '.data': 1 }, paths],
    ['for a path that no envelope could have', { 'data.event[0]': 1 }, paths],
    ['for a long path', { ['x'.repeat(201)]: 1 }, 'must not contain a path of more than 200 characters'],
    ['for more than 20 keys', keys(21), 'must not have more than 20 keys'],
    ['for an object as its value', { data: { event: 1 } }, plainValues],
    ['for an object in a list', { data: [1, {}] }, plainValues],
    ['for a list in a list', { data: [[1]] }, plainValues],
    ['for an empty list', { data: [] }, 'must not contain an empty list, because no event would match'],
    ['for a long list', { data: Array(51).fill(1) }, 'must not contain a list of more than 50 values'],
    ['for a text of more than 500 characters', { data: 'x'.repeat(501) }, longText],
    ['for such a text in a list', { data: [1, 'x'.repeat(501)] }, longText],
  ])('%s', (_what, filter, message) => {
    expect(catchAppError(() => assertFilter(filter))?.extras.details).toEqual([{ path: 'filter', message }])
  })

  test('but not at the limits', () => {
    const values = Array.from({ length: 50 }, () => 'x'.repeat(500))
    for (const filter of [keys(20), { ['x'.repeat(200)]: values }]) {
      expect(catchAppError(() => assertFilter(filter))).toBeNull()
    }
  })
})

/** Few names and values, so that paths and values often match. */
const name = fc.constantFrom('a', 'b', 'c')
const plain = fc.constantFrom('1', 1, 0, true, false, null, '')
const tree = fc.letrec<{ node: object }>((tie) => ({
  node: fc.dictionary(name, fc.oneof({ maxDepth: 3 }, plain, tie('node')), { maxKeys: 3 }),
})).node
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('.'))
const filter = fc.dictionary(path, fc.oneof(plain, fc.array(plain, { minLength: 1, maxLength: 3 })), { maxKeys: 3 })

/** Returns every path of the envelope with its value. */
const walked = (node: object, before = ''): Array<[string, unknown]> =>
  Object.entries(node).flatMap(([key, value]) => [
    [before + key, value] as [string, unknown],
    ...(typeof value === 'object' && value !== null ? walked(value, `${before}${key}.`) : []),
  ])

test('a filter passes exactly if every key matches one of its values', () => {
  fc.assert(
    fc.property(filter, tree, (wanted, payload) => {
      assertFilter(wanted)
      const found = new Map(walked(payload))
      const meets = ([key, one]: [string, unknown]) =>
        found.has(key) && [one].flat().some((value) => Object.is(value, found.get(key)))
      expect(passesFilter(wanted, payload)).toBe(Object.entries(wanted).every(meets))
    }),
  )
})
