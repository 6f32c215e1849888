import { expect, test } from 'vitest'
import { createSnippets } from './snippets.ts'

// tests/process/webhook-docs.full.test.ts runs the lines that compute the signature.
test('every snippet contains the preview of the secret and no more of it', () => {
  for (const { receiver } of createSnippets('YSBzZWNy')) expect(receiver).toContain('YSBzZWNy')
})
