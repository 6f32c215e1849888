import { expect, test } from 'vitest'
import { createEncryption } from './encryption.ts'

const key = 'k'.repeat(32)
const otherKey = 'o'.repeat(32)
const encryption = createEncryption(key)

test.each(['', 'tulips and roses', 'Öltanker 🔑', 'x'.repeat(10_000)])('decrypts what it encrypted: %j', (text) => {
  expect(encryption.decrypt(encryption.encrypt(text, 'mail'), 'mail')).toBe(text)
})

test('encrypted values hide the text and differ each time', () => {
  const encrypted = encryption.encrypt('tulips', 'mail')
  expect(encrypted).not.toContain('tulips')
  expect(Buffer.from(encrypted.split('.')[1] ?? '', 'base64url').toString()).not.toContain('tulips')
  expect(encryption.encrypt('tulips', 'mail')).not.toBe(encrypted)
})

test('a value starts with the id of its key', () => {
  const idOf = (encrypted: string) => /^([0-9a-f]{8})\./.exec(encrypted)?.[1]
  expect(idOf(encryption.encrypt('a', 'mail'))).toBe(idOf(createEncryption(key).encrypt('b', 'webhook')))
  expect(idOf(encryption.encrypt('a', 'mail'))).not.toBe(idOf(createEncryption(otherKey).encrypt('a', 'mail')))
})

test('after a key change the older key decrypts and the new one encrypts', () => {
  const encrypted = encryption.encrypt('tulips', 'mail')
  const changed = createEncryption(otherKey, key)
  expect(changed.decrypt(encrypted, 'mail')).toBe('tulips')
  expect(() => encryption.decrypt(changed.encrypt('tulips', 'mail'), 'mail')).toThrow('an unknown key')
})

test.each([
  ['a bit of the text', (bytes: Buffer) => bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)],
  ['a bit of the nonce', (bytes: Buffer) => bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0)],
  ['a bit of the tag', (bytes: Buffer) => bytes.writeUInt8(bytes.readUInt8(12) ^ 1, 12)],
])('%s that was changed keeps it shut', (_what, change) => {
  const [id = '', payload = ''] = encryption.encrypt('tulips', 'mail').split('.')
  const bytes = Buffer.from(payload, 'base64url')
  change(bytes)
  expect(() => encryption.decrypt(`${id}.${bytes.toString('base64url')}`, 'mail')).toThrow()
})

test('decryption fails for another purpose and for truncated or other values', () => {
  const encrypted = encryption.encrypt('tulips', 'mail')
  expect(() => encryption.decrypt(encrypted, 'webhook')).toThrow()
  for (const value of ['', '.', 'no key id', ...[9, 12, 30].map((length) => encrypted.slice(0, length))])
    expect(() => encryption.decrypt(value, 'mail'), value).toThrow()
})

test('values of the older key are re-encrypted, others are not', () => {
  const changed = createEncryption(otherKey, key)
  const reencrypted = changed.reencrypt(encryption.encrypt('tulips', 'mail'), 'mail') ?? ''
  expect(createEncryption(otherKey).decrypt(reencrypted, 'mail')).toBe('tulips')
  expect(changed.reencrypt(reencrypted, 'mail')).toBeNull()
  expect(() => createEncryption(otherKey).reencrypt(encryption.encrypt('tulips', 'mail'), 'mail')).toThrow(
    'an unknown key',
  )
})
