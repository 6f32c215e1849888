import type { EncryptedColumn } from '../encrypted-columns.ts'
import type { PlatformContext } from '../platform-context.ts'
import { credentialPurpose } from './mail-rows.ts'

/** Only queued mails have a credential; it is erased when the mail is sent. */
export const mailCredentials = ({ db }: PlatformContext): EncryptedColumn => ({
  name: 'credentials in queued mails',
  getPurpose: () => credentialPurpose,
  read: (afterId, limit) =>
    db
      .selectFrom('mails')
      .select(['id', 'credential as encrypted'])
      .where('id', '>', afterId)
      .where('credential', 'is not', null)
      .$narrowType<{ encrypted: string }>()
      .orderBy('id')
      .limit(limit)
      .execute(),
  replace: ({ id, encrypted }, reencrypted) =>
    db
      .updateTable('mails')
      .set({ credential: reencrypted })
      .where('id', '=', id)
      .where('credential', '=', encrypted)
      .executeTakeFirstOrThrow(),
})
