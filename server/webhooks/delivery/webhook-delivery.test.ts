import { expect, test } from 'vitest'
import { contextForTest } from '../../../tests/support/service/test-context.ts'
import { startWebhookDelivery } from './webhook-delivery.ts'

test('a change without a delivery that is due costs no commit', async () => {
  const ctx = await contextForTest()
  const before = ctx.database.commits.samples()
  const delivery = startWebhookDelivery(ctx, async () => undefined)
  ctx.changes.notify('delivery', 1)
  await delivery.stop(1)
  expect(ctx.database.commits.samples()).toEqual(before)
})
