import type { PlatformContext } from '../platform/platform-context.ts'
import type { SealedColumn } from '../platform/sealed-columns.ts'
import { secretPurposeOf } from './second-factor-rows.ts'

export const sealedSecondFactors = ({ db }: PlatformContext): SealedColumn => ({
  name: 'second factors',
  purposeOf: secretPurposeOf,
  read: (afterId, limit) =>
    db
      .selectFrom('second_factors')
      .select(['user_id as id', 'sealed_secret as sealed'])
      .where('user_id', '>', afterId)
      .orderBy('user_id')
      .limit(limit)
      .execute(),
  replace: ({ id, sealed }, resealed) =>
    db
      .updateTable('second_factors')
      .set({ sealed_secret: resealed })
      .where('user_id', '=', id)
      .where('sealed_secret', '=', sealed)
      .executeTakeFirstOrThrow(),
})
