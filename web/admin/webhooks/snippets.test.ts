import { expect, test } from 'vitest'
import { snippetsFor } from './snippets.ts'

// tests/process/webhook-docs.test.ts runs the lines that compute the signature.
test('every snippet says how the secret begins, and none holds more of it', () => {
  for (const { whole } of snippetsFor('YSBzZWNy')) expect(whole).toContain('YSBzZWNy')
})
