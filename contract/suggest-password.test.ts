import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { GalleryPassword } from './events.ts'
import { suggestPassword } from './suggest-password.ts'

test('suggests valid, distinct passwords of lower-case letters that do not look alike, with one hyphen', () => {
  const suggested = Array.from({ length: 1000 }, suggestPassword)
  const isEasy = (password: string) => /^[a-hjkmnpr-z]{6}-[a-hjkmnpr-z]{6}$/.test(password)
  expect(suggested.filter((one) => !isEasy(one) || !Value.Check(GalleryPassword, one))).toEqual([])
  expect(new Set(suggested).size).toBe(1000)
  // Each letter occurs: 12,000 letters of 22.
  expect(new Set(suggested.join('')).size).toBe(22 + 1)
})
