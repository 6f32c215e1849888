import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseFilter, toFilterRows } from './filter-rows.ts'

test('typed text becomes a value, or a list if it has commas', () => {
  expect(
    parseFilter([
      { path: ' data.event.event_type ', values: 'wedding, portrait' },
      { path: 'data.photo.replaced', values: 'false' },
      { path: 'data.event.id', values: '7' },
      { path: 'data.event.slug', values: '"7"' },
      { path: 'data.event.customer_phone', values: 'null' },
      { path: '', values: '' },
    ]),
  ).toEqual({
    'data.event.event_type': ['wedding', 'portrait'],
    'data.photo.replaced': false,
    'data.event.id': 7,
    'data.event.slug': '7',
    'data.event.customer_phone': null,
  })
})

test('quotes protect commas and text of other types; a path without values is kept for the error of the service', () => {
  expect(parseFilter([{ path: 'data.event.id', values: ' ' }])).toEqual({ 'data.event.id': [] })
  expect(parseFilter([{ path: 'data.event.event_name', values: '"Ana, Ben", "say \\"hi\\"", Zoë' }])).toEqual({
    'data.event.event_name': ['Ana, Ben', 'say "hi"', 'Zoë'],
  })
})

test('every valid filter is the same after formatting and parsing', () => {
  const value = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom('"', ',', '\\', ' ', '7', 'a', '-', '\n') }),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
    fc.boolean(),
    fc.constant(null),
  )
  const accepted = fc.oneof(value, fc.array(value, { minLength: 2, maxLength: 5 }))
  const path = fc.stringMatching(/^[a-z]{1,8}(\.[a-z]{1,8}){0,2}$/)
  fc.assert(
    fc.property(fc.dictionary(path, accepted, { noNullPrototype: true }), (filter) => {
      expect(parseFilter(toFilterRows(filter))).toEqual(filter)
    }),
  )
})
