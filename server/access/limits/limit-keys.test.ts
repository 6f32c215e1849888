import { expect, test } from 'vitest'
import type { User } from '../account-rows.ts'
import { accountKey, createUnknownKeys, customerKey, eventKey } from './limit-keys.ts'

const unknownKey = createUnknownKeys('a secret')
const address = '192.0.2.7'

test('invented texts share 1,024 keys, which a client cannot predict', () => {
  const texts = Array.from({ length: 50_000 }, (_, index) => `slug invented-${index}`)
  const keys = new Set(texts.map(unknownKey))
  expect(keys.size).toBe(1024)
  expect(texts.slice(0, 20).map(createUnknownKeys('another secret'))).not.toEqual(texts.slice(0, 20).map(unknownKey))
})

test('an account has a key for its name in every spelling, and another for its mail address', () => {
  const user = { id: 7, username_key: 'ana' } as User
  for (const login of ['ana', 'ANA', 'ａｎａ'])
    expect(accountKey(user, { login, address }, unknownKey)).toBe('user 7 name')
  expect(accountKey(user, { login: 'ana@example.com', address }, unknownKey)).toBe('user 7 email')
})

test('an unknown name has one key in every spelling', () => {
  const [key] = ['nobody', 'NOBODY'].map((login) => accountKey(undefined, { login, address }, unknownKey))
  expect(key).toMatch(/^unknown \d+$/)
  expect(accountKey(undefined, { login: 'Nobody', address }, unknownKey)).toBe(key)
})

test('customers and events have keys of their own, what is unknown shares keys', () => {
  const sent = { email: 'Ana@Example.com', address }
  expect(customerKey({ id: 7 }, sent, unknownKey)).toBe('customer 7')
  const unknown = customerKey(undefined, sent, unknownKey)
  expect(unknown).toMatch(/^unknown \d+$/)
  expect(customerKey(undefined, { ...sent, email: 'ana@example.com' }, unknownKey)).toBe(unknown)
  expect(eventKey({ id: 7 }, 'a-slug', unknownKey)).toBe('7')
  expect(eventKey(undefined, 'a-slug', unknownKey)).toMatch(/^unknown \d+$/)
})
