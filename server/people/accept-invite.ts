import type { AccessContext } from '../access/access.ts'
import { findUser, type User } from '../access/account-rows.ts'
import { changeAccount } from '../access/change-account.ts'
import { attempt } from '../access/limits/delay-attempts.ts'
import type { Database } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { addressKey } from '../platform/network/client-address.ts'
import { consumeInvite, findInvite, type Invite } from './invite-rows.ts'

/** `address`: the key under which failed attempts are counted. */
export type InviteAttempt = { token: string; address: string }

export const createInviteAttempt = ({ ip }: { ip: string }, token: string): InviteAttempt => ({
  token,
  address: addressKey(ip),
})

/**
 * Does not use up the link. Throws RATE_LIMITED, or NOT_FOUND for an unknown, used, expired or withdrawn link or an
 * inactive account.
 */
export const getInvitedAccount = (ctx: AccessContext, input: InviteAttempt) =>
  limitFailures(ctx, input, async () => {
    const invite = await findInvite(ctx, ctx.db, input.token)
    return { user: await getInvitedUser(ctx.db, invite), expiresAt: invite?.expires_at ?? 0 }
  })

/**
 * Sets the password and uses up the link. Does not sign in, because a second factor may be required. Throws NOT_FOUND
 * or RATE_LIMITED.
 */
export const acceptInvite = (ctx: AccessContext, input: InviteAttempt, password: string): Promise<User> =>
  limitFailures(ctx, input, async () => {
    await getInvitedUser(ctx.db, await findInvite(ctx, ctx.db, input.token))
    const passwordHash = await ctx.passwords.hash(password)
    const accepted = await inTransaction(ctx.db, 'everything', async (tx) => {
      const user = await getInvitedUser(tx, await consumeInvite(ctx, tx, input.token))
      const columns = { password_hash: passwordHash, must_change_password: 0 } as const
      return changeAccount(tx, user.id, columns, { endsSessions: true })
    })
    ctx.changes.notify('account', accepted.id)
    return accepted
  })

const limitFailures = <T>({ access }: AccessContext, { address }: InviteAttempt, operation: () => Promise<T>) =>
  attempt(access.limits.accountFailures(address), operation)

async function getInvitedUser(db: Database, invite: Invite | undefined): Promise<User> {
  const user = invite && (await findUser(db, invite.user_id))
  const isOpen = user?.is_active === 1 && user.session_version === invite?.session_version
  if (!isOpen) throw new AppError('NOT_FOUND', { text: 'This link has already been used, or it expired after 7 days.' })
  return user
}
