import type { PlatformContext } from '../platform-context.ts'
import type { SealedColumn } from '../sealed-columns.ts'
import { credentialPurpose } from './mail-rows.ts'

/** Only queued mails have a credential; it is erased when the mail is sent. */
export const mailCredentials = ({ db }: PlatformContext): SealedColumn => ({
  name: 'credentials in queued mails',
  purposeOf: () => credentialPurpose,
  read: (afterId, limit) =>
    db
      .selectFrom('mails')
      .select(['id', 'credential as sealed'])
      .where('id', '>', afterId)
      .where('credential', 'is not', null)
      .$narrowType<{ sealed: string }>()
      .orderBy('id')
      .limit(limit)
      .execute(),
  replace: ({ id, sealed }, resealed) =>
    db
      .updateTable('mails')
      .set({ credential: resealed })
      .where('id', '=', id)
      .where('credential', '=', sealed)
      .executeTakeFirstOrThrow(),
})
