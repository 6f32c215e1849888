import { test } from 'vitest'
import { killDuringDeliveries } from '../support/webhooks/kill-during-deliveries.ts'

test('kill -9 during 1,000 changes: only committed ones arrive, under one id, and twice only if not recorded', async () => {
  await killDuringDeliveries({ changes: 1_000, lives: 8, waitsForLeases: true })
}, 300_000)
