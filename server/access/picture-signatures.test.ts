import { describe, expect, test } from 'vitest'
import { createPictureSignatures } from './picture-signatures.ts'

const signatures = createPictureSignatures('a secret of this test')
const event = { id: 7, access_key: 'key of the event' }
const picture = { photoId: 12, widthPx: 640, expiresAt: 1_900_000_000 }
const signature = signatures.signerOf(event)(picture)

describe('a signature', () => {
  test('has 43 characters that are safe in a path, and is the same each time', () => {
    expect(signature).toMatch(/^[\w-]{43}$/)
    expect(signatures.signerOf({ ...event })({ ...picture })).toBe(signature)
  })

  test('is valid for its picture only', () => {
    expect(signatures.isValid(event, picture, signature)).toBe(true)
    for (const changed of [{ photoId: 13 }, { widthPx: 1280 }, { expiresAt: picture.expiresAt + 1 }]) {
      expect(signatures.isValid(event, { ...picture, ...changed }, signature)).toBe(false)
    }
  })

  test('ends with the access key of the event, and with the secret', () => {
    expect(signatures.isValid({ ...event, access_key: 'another' }, picture, signature)).toBe(false)
    expect(signatures.isValid({ ...event, id: 8 }, picture, signature)).toBe(false)
    expect(createPictureSignatures('another').isValid(event, picture, signature)).toBe(false)
  })

  test('has one form: no other text is accepted for the same bytes', () => {
    const characters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
    const accepted = characters.filter((last) => signatures.isValid(event, picture, signature.slice(0, -1) + last))
    expect(accepted).toEqual([signature.at(-1)])
    for (const other of ['', signature.slice(1), `${signature}=`, `${signature}A`, 'é'.repeat(43)]) {
      expect(signatures.isValid(event, picture, other)).toBe(false)
    }
  })
})
