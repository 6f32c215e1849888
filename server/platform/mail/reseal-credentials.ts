import type { Backends } from '../backends.ts'
import { type Resealed, resealColumn } from '../reseal-column.ts'
import { credentialPurpose } from './mail-rows.ts'

/** Of mails that still wait to be sent: with the sending a credential is erased. */
export const resealCredentials = (backends: Backends): Promise<Resealed> =>
  resealColumn(backends, {
    name: 'credentials in queued mails',
    purposeOf: () => credentialPurpose,
    read: (afterId, limit) =>
      backends.db
        .selectFrom('mails')
        .select(['id', 'credential as sealed'])
        .where('id', '>', afterId)
        .where('credential', 'is not', null)
        .$narrowType<{ sealed: string }>()
        .orderBy('id')
        .limit(limit)
        .execute(),
    replace: ({ id, sealed }, resealed) =>
      backends.db
        .updateTable('mails')
        .set({ credential: resealed })
        .where('id', '=', id)
        .where('credential', '=', sealed)
        .executeTakeFirstOrThrow(),
  })
