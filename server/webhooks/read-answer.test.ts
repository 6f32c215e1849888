import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { textOf } from './read-answer.ts'

const bytesOf = (text: string): number => Buffer.byteLength(text)

describe('of an answer is kept', () => {
  test('what fits into 1 KB as it is', () => {
    for (const text of ['', 'ok', 'ä'.repeat(512), '😀'.repeat(256)]) expect(textOf(Buffer.from(text))).toBe(text)
  })

  test('of a longer one as many whole characters as 1 KB holds', () => {
    expect(textOf(Buffer.from(`x${'ä'.repeat(600)}`))).toBe(`x${'ä'.repeat(511)}`)
    expect(textOf(Buffer.from(`xy${'😀'.repeat(600)}`))).toBe(`xy${'😀'.repeat(255)}`)
  })

  test('whatever the bytes: text that every database takes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1100, size: 'max' }), (bytes) => {
        const text = textOf(Buffer.from(bytes))
        expect(bytesOf(text)).toBeLessThanOrEqual(1024)
        expect(text.isWellFormed()).toBe(true)
        expect(text).not.toContain('\0')
      }),
      // To shrink what is this long takes minutes.
      { endOnFailure: true },
    )
    expect(textOf(Buffer.alloc(2000))).toBe('\ufffd'.repeat(341))
  })
})
