import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { User } from '../access/account-rows.ts'
import type { Database, Tx } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { hashToken } from '../platform/security/hash-token.ts'
import { days } from '../platform/time/clock.ts'

/** Invitations to choose the password of an account. Only the hash of the token is stored. */
export type InviteTable = {
  token_hash: string
  user_id: number
  /**
   * The session version of the account when the invitation is created. A new password or a deactivation makes the
   * invitation invalid.
   */
  session_version: number
  expires_at: number
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    invites: InviteTable
  }
}

export type Invite = Pick<Selectable<InviteTable>, 'user_id' | 'session_version' | 'expires_at'>

const validityMs = days(7)

export const createInviteToken = (): string => randomBytes(32).toString('base64url')

/** Replaces an earlier invitation of the account. */
export async function addInvite({ clock }: PlatformContext, tx: Tx, user: User, token: string): Promise<void> {
  await deleteInvite(tx, user.id)
  await tx
    .insertInto('invites')
    .values({
      token_hash: hashToken(token),
      user_id: user.id,
      session_version: user.session_version,
      expires_at: clock.now() + validityMs,
    })
    .execute()
}

export async function deleteInvite(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('invites').where('user_id', '=', userId).execute()
}

/** Returns undefined for used, unknown and expired tokens. */
export const findInvite = ({ clock }: PlatformContext, db: Database, token: string): Promise<Invite | undefined> =>
  db
    .selectFrom('invites')
    .select(['user_id', 'session_version', 'expires_at'])
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', clock.now())
    .executeTakeFirst()

/** Deletes the invitation, so that only one of several concurrent requests gets it. */
export const consumeInvite = ({ clock }: PlatformContext, tx: Tx, token: string): Promise<Invite | undefined> =>
  tx
    .deleteFrom('invites')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', clock.now())
    .returning(['user_id', 'session_version', 'expires_at'])
    .executeTakeFirst()

export async function pruneInvites({ db, clock }: PlatformContext): Promise<void> {
  await db.deleteFrom('invites').where('expires_at', '<=', clock.now()).execute()
}
