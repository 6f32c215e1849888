import type { PlatformContext } from '../platform/platform-context.ts'
import type { SealedColumn } from '../platform/sealed-columns.ts'
import { secretPurpose } from './webhook-rows.ts'

export const webhookSecrets = ({ db }: PlatformContext): SealedColumn => ({
  name: 'webhook secrets',
  purposeOf: () => secretPurpose,
  read: (afterId, limit) =>
    db
      .selectFrom('webhooks')
      .select(['id', 'secret as sealed'])
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(limit)
      .execute(),
  replace: ({ id, sealed }, resealed) =>
    db
      .updateTable('webhooks')
      .set({ secret: resealed })
      .where('id', '=', id)
      .where('secret', '=', sealed)
      .executeTakeFirstOrThrow(),
})
