import type { EncryptedColumn } from '../platform/encrypted-columns.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { secretPurposeOf } from './second-factor-rows.ts'

export const encryptedSecondFactors = ({ db }: PlatformContext): EncryptedColumn => ({
  name: 'second factors',
  getPurpose: secretPurposeOf,
  read: (afterId, limit) =>
    db
      .selectFrom('second_factors')
      .select(['user_id as id', 'sealed_secret as encrypted'])
      .where('user_id', '>', afterId)
      .orderBy('user_id')
      .limit(limit)
      .execute(),
  replace: ({ id, encrypted }, reencrypted) =>
    db
      .updateTable('second_factors')
      .set({ sealed_secret: reencrypted })
      .where('user_id', '=', id)
      .where('sealed_secret', '=', encrypted)
      .executeTakeFirstOrThrow(),
})
