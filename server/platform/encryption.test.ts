import { expect, test } from 'vitest'
import { createEncryption } from './encryption.ts'

const key = 'k'.repeat(32)
const otherKey = 'o'.repeat(32)
const encryption = createEncryption(key)

test.each(['', 'tulips and roses', 'Öltanker 🔑', 'x'.repeat(10_000)])('decrypts what it encrypted: %j', (text) => {
  expect(encryption.open(encryption.seal(text, 'mail'), 'mail')).toBe(text)
})

test('encrypted values hide the text and differ each time', () => {
  const sealed = encryption.seal('tulips', 'mail')
  expect(sealed).not.toContain('tulips')
  expect(Buffer.from(sealed.split('.')[1] ?? '', 'base64url').toString()).not.toContain('tulips')
  expect(encryption.seal('tulips', 'mail')).not.toBe(sealed)
})

test('a value starts with the id of its key', () => {
  const idOf = (sealed: string) => /^([0-9a-f]{8})\./.exec(sealed)?.[1]
  expect(idOf(encryption.seal('a', 'mail'))).toBe(idOf(createEncryption(key).seal('b', 'webhook')))
  expect(idOf(encryption.seal('a', 'mail'))).not.toBe(idOf(createEncryption(otherKey).seal('a', 'mail')))
})

test('after a key change the older key decrypts and the new one encrypts', () => {
  const sealed = encryption.seal('tulips', 'mail')
  const changed = createEncryption(otherKey, key)
  expect(changed.open(sealed, 'mail')).toBe('tulips')
  expect(() => encryption.open(changed.seal('tulips', 'mail'), 'mail')).toThrow('not known here')
})

test('decryption needs the key', () => {
  expect(() => createEncryption(otherKey).open(encryption.seal('tulips', 'mail'), 'mail')).toThrow('not known here')
})

test('decryption fails for another purpose', () => {
  expect(() => encryption.open(encryption.seal('tulips', 'mail'), 'webhook')).toThrow()
})

test.each([
  ['a bit of the text', (bytes: Buffer) => bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)],
  ['a bit of the nonce', (bytes: Buffer) => bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0)],
  ['a bit of the tag', (bytes: Buffer) => bytes.writeUInt8(bytes.readUInt8(12) ^ 1, 12)],
])('%s that was changed keeps it shut', (_what, change) => {
  const [id = '', payload = ''] = encryption.seal('tulips', 'mail').split('.')
  const bytes = Buffer.from(payload, 'base64url')
  change(bytes)
  expect(() => encryption.open(`${id}.${bytes.toString('base64url')}`, 'mail')).toThrow()
})

test.each(['', '.', 'no key id'])('%j is not valid', (value) => {
  expect(() => encryption.open(value, 'mail')).toThrow()
})

test('a truncated value is rejected', () => {
  const sealed = encryption.seal('tulips', 'mail')
  for (const length of [9, 12, 30]) expect(() => encryption.open(sealed.slice(0, length), 'mail')).toThrow()
})

test('values of the older key are re-encrypted, others are not', () => {
  const changed = createEncryption(otherKey, key)
  const resealed = changed.reseal(encryption.seal('tulips', 'mail'), 'mail') ?? ''
  expect(createEncryption(otherKey).open(resealed, 'mail')).toBe('tulips')
  expect(changed.reseal(resealed, 'mail')).toBeNull()
  expect(() => createEncryption(otherKey).reseal(encryption.seal('tulips', 'mail'), 'mail')).toThrow('not known here')
})
