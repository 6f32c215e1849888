import type { Backends } from '../platform/backends.ts'
import { type Resealed, resealColumn } from '../platform/reseal-column.ts'
import { secretPurpose } from './webhook-rows.ts'

export const resealSecrets = (backends: Backends): Promise<Resealed> =>
  resealColumn(backends, {
    name: 'webhook secrets',
    purposeOf: () => secretPurpose,
    read: (afterId, limit) =>
      backends.db
        .selectFrom('webhooks')
        .select(['id', 'secret as sealed'])
        .where('id', '>', afterId)
        .orderBy('id')
        .limit(limit)
        .execute(),
    replace: ({ id, sealed }, resealed) =>
      backends.db
        .updateTable('webhooks')
        .set({ secret: resealed })
        .where('id', '=', id)
        .where('secret', '=', sealed)
        .executeTakeFirstOrThrow(),
  })
