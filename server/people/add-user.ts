import type { CreateUserBody } from '../../contract/people.ts'
import type { User } from '../access/account-rows.ts'
import { addAccount, lockAccounts } from '../access/change-account.ts'
import { loadLetterhead } from '../events/mail/event-mail.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { AppContext } from '../settings/app-context.ts'
import { addInvite, createInviteToken } from './invite-rows.ts'
import { mailInvite } from './mail-invite.ts'

/** `inviteToken` is null if the account has a password; otherwise the invitation is mailed. Throws USER_EXISTS. */
export async function addUser(
  ctx: AppContext,
  { username, email, role, password }: CreateUserBody,
): Promise<{ user: User; inviteToken: string | null }> {
  const passwordHash = password ? await ctx.passwords.hash(password) : ''
  const inviteToken = password ? null : createInviteToken()
  const head = await loadLetterhead(ctx)
  const user = await inTransaction(ctx.db, 'everything', async (tx) => {
    await lockAccounts(tx)
    const user = await addAccount(ctx, tx, { username, email, role, passwordHash, mustChangePassword: false })
    if (inviteToken !== null) {
      await addInvite(ctx, tx, user, inviteToken)
      await mailInvite(ctx, tx, head, { kind: 'account_invite', user, token: inviteToken })
    }
    return user
  })
  ctx.changes.notify('mail', null)
  return { user, inviteToken }
}
