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

/** As it comes in: what stands in the link, and the address that failures are counted under. */
export type InviteAttempt = { token: string; address: string }

export const attemptOf = ({ ip }: FastifyRequest, token: string): InviteAttempt => ({ token, address: addressKey(ip) })

/**
 * Whom a link is for; uses nothing up. Used, unknown, expired and withdrawn links are one and the same NOT_FOUND;
 * RATE_LIMITED instead, for an address that has tried too many.
 */
export const lookAtInvite = (ctx: Guarded, input: InviteAttempt): Promise<{ user: User; expiresAt: number }> =>
  counted(ctx, input, async () => {
    const invite = await findInvite(ctx, ctx.db, input.token)
    return { user: await invitedUser(ctx.db, invite), expiresAt: invite?.expires_at ?? 0 }
  })

/**
 * Uses the link up and gives its account the password; of several who try at once one alone does. Whoever it is signs in
 * after that, with the second factor where there is one. Throws what `lookAtInvite` throws.
 */
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
