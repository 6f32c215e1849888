import type { EncryptedColumn } from '../platform/encrypted-columns.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { secretPurpose } from './webhook-rows.ts'

export const webhookSecrets = ({ db }: PlatformContext): EncryptedColumn => ({
  name: 'webhook secrets',
  getPurpose: () => secretPurpose,
  read: (afterId, limit) =>
    db
      .selectFrom('webhooks')
      .select(['id', 'secret as encrypted'])
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(limit)
      .execute(),
  replace: ({ id, encrypted }, reencrypted) =>
    db
      .updateTable('webhooks')
      .set({ secret: reencrypted })
      .where('id', '=', id)
      .where('secret', '=', encrypted)
      .executeTakeFirstOrThrow(),
})
