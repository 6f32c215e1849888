import { test } from 'vitest'
import { killWhileTelling } from '../support/webhook-crash.ts'

test('kill -9 at random moments of 1,000 changes: every committed one arrives under one id, no other, and twice only what was not noted', async () => {
  await killWhileTelling({ changes: 1_000, lives: 8 })
  // Many starts of the service, and claims that last for 23 seconds.
}, 300_000)
