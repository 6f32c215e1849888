import { expect, test } from 'vitest'
import { suggestPassword } from './suggest-password.ts'

test('suggests distinct passwords of three groups without ambiguous characters', () => {
  const suggested = Array.from({ length: 200 }, suggestPassword)
  for (const password of suggested) expect(password).toMatch(/^([a-hjkmnp-z2-9]{4}-){2}[a-hjkmnp-z2-9]{4}$/)
  expect(new Set(suggested).size).toBe(200)
})
