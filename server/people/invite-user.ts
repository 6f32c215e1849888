import type { CreateUserBody } from '../../contract/people.ts'
import type { AccountCaller } from '../access/callers.ts'
import { addAccount, changeAccount, lockAccounts } from '../access/change-account.ts'
import { loadLetterhead } from '../events/mail/event-mail.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { AppContext } from '../settings/app-context.ts'
import { createInviteToken } from './invite-rows.ts'
import { mailInvite } from './mail-invite.ts'
import { assertNotLastSuperAdmin, assertNotOwnAccount, getUser } from './user-rules.ts'

/** `inviteToken` is null if the account has a password; otherwise the invitation is mailed. Throws USER_EXISTS. */
export async function addUser(ctx: AppContext, { username, email, role, password }: CreateUserBody) {
  const passwordHash = password ? await ctx.passwords.hash(password) : ''
  const inviteToken = password ? null : createInviteToken()
  const head = await loadLetterhead(ctx)
  const user = await inTransaction(ctx.db, 'everything', async (tx) => {
    await lockAccounts(tx)
    const user = await addAccount(ctx, tx, { username, email, role, passwordHash, mustChangePassword: false })
    if (inviteToken !== null) await mailInvite(ctx, tx, head, { kind: 'account_invite', user, token: inviteToken })
    return user
  })
  ctx.changes.notify('mail', null)
  return { user, inviteToken }
}

/**
 * Removes the password, ends all sessions and mails a link to choose a new password. Throws NOT_FOUND, OWN_ACCOUNT,
 * LAST_SUPER_ADMIN or INVALID_STATE.
 */
export async function resetUserPassword(ctx: AppContext, caller: AccountCaller, userId: number) {
  assertNotOwnAccount(caller, userId)
  const token = createInviteToken()
  const head = await loadLetterhead(ctx)
  const user = await inTransaction(ctx.db, 'everything', async (tx) => {
    await lockAccounts(tx)
    const before = await getUser(tx, userId)
    if (before.is_active === 0) {
      throw new AppError('INVALID_STATE', { text: 'The account is deactivated. Activate it first.' })
    }
    await assertNotLastSuperAdmin(tx, before)
    const kind = before.password_hash === '' ? 'account_invite' : 'password_reset'
    const columns = { password_hash: '', must_change_password: 0 } as const
    const user = await changeAccount(tx, userId, columns, { endsSessions: true })
    await mailInvite(ctx, tx, head, { kind, user, token })
    return user
  })
  ctx.changes.notify('account', userId)
  ctx.changes.notify('mail', null)
  return { user, inviteToken: token }
}
