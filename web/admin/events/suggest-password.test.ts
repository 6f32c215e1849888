import { expect, test } from 'vitest'
import { suggestPassword } from './suggest-password.ts'

test('a suggested password is three groups of four that nobody misreads, each time others', () => {
  const suggested = Array.from({ length: 200 }, suggestPassword)
  for (const password of suggested) expect(password).toMatch(/^([a-hjkmnp-z2-9]{4}-){2}[a-hjkmnp-z2-9]{4}$/)
  expect(new Set(suggested).size).toBe(200)
})
