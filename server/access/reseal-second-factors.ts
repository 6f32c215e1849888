import type { Backends } from '../platform/backends.ts'
import { type Resealed, resealColumn } from '../platform/reseal-column.ts'
import { secretPurposeOf } from './second-factor-rows.ts'

export const resealSecondFactors = (backends: Backends): Promise<Resealed> =>
  resealColumn(backends, {
    name: 'second factors',
    purposeOf: secretPurposeOf,
    read: (afterId, limit) =>
      backends.db
        .selectFrom('second_factors')
        .select(['user_id as id', 'sealed_secret as sealed'])
        .where('user_id', '>', afterId)
        .orderBy('user_id')
        .limit(limit)
        .execute(),
    replace: ({ id, sealed }, resealed) =>
      backends.db
        .updateTable('second_factors')
        .set({ sealed_secret: resealed })
        .where('user_id', '=', id)
        .where('sealed_secret', '=', sealed)
        .executeTakeFirstOrThrow(),
  })
