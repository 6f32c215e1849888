import { days } from '../clock.ts'
import type { PlatformContext } from '../platform-context.ts'

/** Older mails are not sent any more, and their credentials must be erased. */
export const maxMailAgeMs = days(7)

const retentionMs = days(90)

const batchSize = 1000

export async function pruneMails({ db, clock }: PlatformContext): Promise<void> {
  const now = clock.now()
  await db
    .updateTable('mails')
    .set((mail) => ({
      status: 'failed',
      credential: null,
      next_attempt_at: null,
      last_error: mail.fn.coalesce('last_error', mail.val('It was not sent within 7 days.')),
    }))
    .where('next_attempt_at', 'is not', null)
    .where('created_at', '<', now - maxMailAgeMs)
    .execute()
  await db
    .deleteFrom('mails')
    .where('id', 'in', (mails) =>
      mails
        .selectFrom('mails')
        .select('id')
        .where('created_at', '<', now - retentionMs)
        .limit(batchSize),
    )
    .execute()
}
