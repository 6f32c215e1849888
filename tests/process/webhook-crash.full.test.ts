import { test } from 'vitest'
import { killWhileTelling } from '../support/webhook-crash.ts'

test('kill -9 at random moments of 200 changes: every committed one arrives under one id, no other, and twice only what was not noted', async () => {
  await killWhileTelling({ changes: 200, lives: 3 })
  // Several starts of the service, and claims that last for 23 seconds.
}, 150_000)
