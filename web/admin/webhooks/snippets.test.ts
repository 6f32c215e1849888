import { expect, test } from 'vitest'
import { snippetsFor } from './snippets.ts'

// tests/process/webhook-docs.full.test.ts runs the lines that compute the signature.
test('every snippet contains the preview of the secret and no more of it', () => {
  for (const { whole } of snippetsFor('YSBzZWNy')) expect(whole).toContain('YSBzZWNy')
})
