import { createHash, randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { User } from '../access/account-rows.ts'
import { days } from '../platform/clock.ts'
import type { Database, Tx } from '../platform/database/tables.ts'
import type { PlatformContext } from '../platform/platform-context.ts'

/** Links by which the password of an account is chosen. Only the hash of what stands in the link is kept. */
export type InviteTable = {
  token_hash: string
  user_id: number
  /** The account's when the link was given: another password, or a deactivation, makes it void. */
  session_version: number
  expires_at: number
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    invites: InviteTable
  }
}

export type Invite = Pick<Selectable<InviteTable>, 'user_id' | 'session_version' | 'expires_at'>

const lastsMs = days(7)

export const newInviteToken = (): string => randomBytes(32).toString('base64url')

/** The link works once, for 7 days, and in place of any that was given before. */
export async function addInvite({ clock }: PlatformContext, tx: Tx, user: User, token: string): Promise<void> {
  await dropInvite(tx, user.id)
  await tx
    .insertInto('invites')
    .values({
      token_hash: hashOf(token),
      user_id: user.id,
      session_version: user.session_version,
      expires_at: clock.now() + lastsMs,
    })
    .execute()
}

export async function dropInvite(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('invites').where('user_id', '=', userId).execute()
}

/** Uses nothing up. A link that can still be used; undefined for used, unknown and expired ones alike. */
export const findInvite = ({ clock }: PlatformContext, db: Database, token: string): Promise<Invite | undefined> =>
  db
    .selectFrom('invites')
    .select(['user_id', 'session_version', 'expires_at'])
    .where('token_hash', '=', hashOf(token))
    .where('expires_at', '>', clock.now())
    .executeTakeFirst()

/** Uses the link up: of several who try at once one alone gets it. */
export const takeInvite = ({ clock }: PlatformContext, tx: Tx, token: string): Promise<Invite | undefined> =>
  tx
    .deleteFrom('invites')
    .where('token_hash', '=', hashOf(token))
    .where('expires_at', '>', clock.now())
    .returning(['user_id', 'session_version', 'expires_at'])
    .executeTakeFirst()

export async function pruneInvites({ db, clock }: PlatformContext): Promise<void> {
  await db.deleteFrom('invites').where('expires_at', '<=', clock.now()).execute()
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')
