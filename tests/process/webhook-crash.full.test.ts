import { test } from 'vitest'
import { killDuringDeliveries } from '../support/webhooks/kill-during-deliveries.ts'

test('kill -9 during 48 changes: only committed ones arrive, under one id, and twice only if not recorded', async () => {
  await killDuringDeliveries({ changes: 48, lives: 2, waitsForLeases: false })
})
