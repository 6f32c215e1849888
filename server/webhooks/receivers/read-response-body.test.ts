import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toStoredText } from './read-response-body.ts'

const bytesOf = (text: string): number => Buffer.byteLength(text)

describe('the stored part of a response', () => {
  test('is unchanged up to 1 KB', () => {
    for (const text of ['', 'ok', 'ä'.repeat(512), '😀'.repeat(256)]) expect(toStoredText(Buffer.from(text))).toBe(text)
  })

  test('has as many complete characters as fit into 1 KB', () => {
    expect(toStoredText(Buffer.from(`x${'ä'.repeat(600)}`))).toBe(`x${'ä'.repeat(511)}`)
    expect(toStoredText(Buffer.from(`xy${'😀'.repeat(600)}`))).toBe(`xy${'😀'.repeat(255)}`)
  })

  test('is text that every database accepts, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1100, size: 'max' }), (bytes) => {
        const text = toStoredText(Buffer.from(bytes))
        expect(bytesOf(text)).toBeLessThanOrEqual(1024)
        expect(text.isWellFormed()).toBe(true)
        expect(text).not.toContain('\0')
      }),
      // Otherwise fast-check would shrink a failing input, which takes minutes at this length.
      { endOnFailure: true },
    )
    expect(toStoredText(Buffer.alloc(2000))).toBe('\ufffd'.repeat(341))
  })
})
