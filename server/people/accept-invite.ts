import type { FastifyRequest } from 'fastify'
import type { Access } from '../access/access.ts'
import { findUser, type User } from '../access/account-rows.ts'
import { changeAccount } from '../access/change-account.ts'
import { attempt } from '../access/sign-in-attempts.ts'
import { AppError } from '../platform/app-error.ts'
import type { Database } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { addressKey } from '../platform/http/address.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { findInvite, type Invite, takeInvite } from './invite-rows.ts'

type Guarded = PlatformContext & { access: Access }

/** `address`: the key under which failed attempts are counted. */
export type InviteAttempt = { token: string; address: string }

export const attemptOf = ({ ip }: FastifyRequest, token: string): InviteAttempt => ({ token, address: addressKey(ip) })

/** Does not use the link. Throws NOT_FOUND for used, unknown, expired and withdrawn links, and RATE_LIMITED. */
export const getInvitedAccount = (ctx: Guarded, input: InviteAttempt): Promise<{ user: User; expiresAt: number }> =>
  counted(ctx, input, async () => {
    const invite = await findInvite(ctx, ctx.db, input.token)
    return { user: await invitedUser(ctx.db, invite), expiresAt: invite?.expires_at ?? 0 }
  })

/** Uses the link, without signing in: there may be a second factor. Throws NOT_FOUND and RATE_LIMITED. */
export const acceptInvite = (ctx: Guarded, input: InviteAttempt, password: string): Promise<User> =>
  counted(ctx, input, async () => {
    await invitedUser(ctx.db, await findInvite(ctx, ctx.db, input.token))
    const passwordHash = await ctx.passwords.hash(password)
    const accepted = await inTransaction(ctx.db, 'everything', async (tx) => {
      const user = await invitedUser(tx, await takeInvite(ctx, tx, input.token))
      const columns = { password_hash: passwordHash, must_change_password: 0 } as const
      return changeAccount(tx, user.id, columns, { endsSessions: true })
    })
    ctx.changes.tell('account', accepted.id)
    return accepted
  })

const counted = <T>({ access }: Guarded, { address }: InviteAttempt, operation: () => Promise<T>): Promise<T> =>
  attempt(access.limits.accountFailures(address), operation)

async function invitedUser(db: Database, invite: Invite | undefined): Promise<User> {
  const user = invite && (await findUser(db, invite.user_id))
  const isOpen = user?.is_active === 1 && user.session_version === invite?.session_version
  if (!isOpen) throw new AppError('NOT_FOUND', { text: 'This link has been used already, or its 7 days have passed.' })
  return user
}
