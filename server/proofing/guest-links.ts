import { createHash, randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import { minutes } from '../platform/clock.ts'
import type { PlatformContext } from '../platform/platform-context.ts'

/** One-time links by which a guest goes on with another device. Only the hash of what stands in the link is kept. */
export type GuestLinkTable = {
  token_hash: string
  event_id: number
  guest_id: string
  /** The event's when the link was given: a change of password makes it void. */
  access_key: string
  /** Whose assignment the session stood on that asked for the link; null: nobody's. */
  customer_id: number | null
  customer_version: number | null
  expires_at: number
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    guest_links: GuestLinkTable
  }
}

export type GuestLink = Omit<Selectable<GuestLinkTable>, 'token_hash'>

const lastsMs = minutes(15)

/** What is to stand in the link, shown this once. */
export async function addGuestLink(
  { db, clock }: PlatformContext,
  link: Omit<GuestLink, 'expires_at'>,
): Promise<{ token: string; expiresAt: number }> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = clock.now() + lastsMs
  await db
    .insertInto('guest_links')
    .values({ ...link, token_hash: hashOf(token), expires_at: expiresAt })
    .execute()
  return { token, expiresAt }
}

/** A link that can still be used. */
export const findGuestLink = ({ db, clock }: PlatformContext, token: string): Promise<GuestLink | undefined> =>
  db
    .selectFrom('guest_links')
    .select(columns)
    .where('token_hash', '=', hashOf(token))
    .where('expires_at', '>', clock.now())
    .executeTakeFirst()

/** Uses a link up: of several who try at once one alone gets it. */
export const takeGuestLink = ({ db, clock }: PlatformContext, token: string): Promise<GuestLink | undefined> =>
  db
    .deleteFrom('guest_links')
    .where('token_hash', '=', hashOf(token))
    .where('expires_at', '>', clock.now())
    .returning(columns)
    .executeTakeFirst()

export async function pruneGuestLinks({ db, clock }: PlatformContext): Promise<void> {
  await db.deleteFrom('guest_links').where('expires_at', '<=', clock.now()).execute()
}

const columns = ['event_id', 'guest_id', 'access_key', 'customer_id', 'customer_version', 'expires_at'] as const

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')
