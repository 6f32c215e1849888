import { expect, test } from 'vitest'
import { isReceived } from './delivery-rules.ts'

const monday = '2027-05-03T10:00:00Z'
const tuesday = '2027-05-04T10:00:00Z'
const pending = { key: 'one', before: monday }

test('sends a selection until the service has a later one than before', () => {
  expect(isReceived(pending, { sentAt: monday, isChanged: true })).toBe(false)
  expect(isReceived({ ...pending, before: null }, { sentAt: null, isChanged: false })).toBe(false)
  expect(isReceived(pending, { sentAt: tuesday, isChanged: false })).toBe(true)
  expect(isReceived({ ...pending, body: { note: 'For the wall' } }, { sentAt: tuesday, isChanged: true })).toBe(true)
})

test('does not take the selection that was taken back for one with a message, a name or other picks', () => {
  const next = { ...pending, followsUnknown: true }
  const withdrawn = { sentAt: tuesday, isChanged: false }
  expect(isReceived(next, withdrawn)).toBe(true)
  expect(isReceived({ ...next, body: { note: null, guest_name: '', guest_email: '' } }, withdrawn)).toBe(true)
  expect(isReceived({ ...next, body: { note: 'For the wall' } }, withdrawn)).toBe(false)
  expect(isReceived({ ...next, body: { note: null, guest_name: 'Ana' } }, withdrawn)).toBe(false)
  expect(isReceived(next, { ...withdrawn, isChanged: true })).toBe(false)
  expect(isReceived(next, { sentAt: monday, isChanged: true })).toBe(false)
})
