import { expect, test } from 'vitest'
import { charactersLeft, isNearEnd, isSendable } from './comment-rules.ts'

test('a thousand characters may be sent, whatever room they take in memory', () => {
  expect(isSendable('😀'.repeat(1000))).toBe(true)
  expect(isSendable('a'.repeat(1001))).toBe(false)
  expect(charactersLeft('😀'.repeat(1001))).toBe(-1)
})

test('blanks around a comment do not count, and are none', () => {
  expect(charactersLeft(`  ${'a'.repeat(1000)}\n`)).toBe(0)
  expect(isSendable(' \n\t ')).toBe(false)
})

test('how many are left is told for the last hundred', () => {
  expect(isNearEnd('a'.repeat(899))).toBe(false)
  expect(isNearEnd('a'.repeat(900))).toBe(true)
})
