import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { hashToken } from '../../platform/security/hash-token.ts'
import { days, minutes } from '../../platform/time/clock.ts'
import type { GuestBelongings } from '../../settings/belongings.ts'

/** Only the hash of the token is stored. */
export type GuestLinkTable = {
  token_hash: string
  event_id: number
  guest_id: string
  /**
   * The access key of the event at creation. A new password changes the key of the event and so makes the link invalid.
   */
  access_key: string
  /** The customer who created the link; null for any other guest. */
  customer_id: number | null
  customer_version: number | null
  expires_at: number
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    guest_links: GuestLinkTable
  }
}

export type GuestLink = Omit<Selectable<GuestLinkTable>, 'token_hash'>

/** For another device of the guest. */
const deviceLinkMs = minutes(15)
/** A personal link, which an operator gives to the guest. */
const personalLinkMs = days(30)

export async function insertGuestLink(
  { db, clock }: PlatformContext,
  link: Omit<GuestLink, 'expires_at'>,
  { isPersonal = false }: { isPersonal?: boolean } = {},
): Promise<{ token: string; expiresAt: number }> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = clock.now() + (isPersonal ? personalLinkMs : deviceLinkMs)
  await db
    .insertInto('guest_links')
    .values({ ...link, token_hash: hashToken(token), expires_at: expiresAt })
    .execute()
  return { token, expiresAt }
}

export const findGuestLink = ({ db, clock }: PlatformContext, token: string): Promise<GuestLink | undefined> =>
  db
    .selectFrom('guest_links')
    .select(columns)
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', clock.now())
    .executeTakeFirst()

/** If several calls use one token at the same time, only one gets the link. */
export const consumeGuestLink = ({ db, clock }: PlatformContext, token: string): Promise<GuestLink | undefined> =>
  db
    .deleteFrom('guest_links')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', clock.now())
    .returning(columns)
    .executeTakeFirst()

export async function pruneGuestLinks({ db, clock }: PlatformContext): Promise<void> {
  await db.deleteFrom('guest_links').where('expires_at', '<=', clock.now()).execute()
}

/** Links of a merged guest lead to the guest that remains. */
export const linksOfGuests: GuestBelongings = {
  tables: ['guest_links'],
  async erase(tx, { eventId, guestIds }) {
    const links = tx.deleteFrom('guest_links').where('event_id', '=', eventId).where('guest_id', 'in', guestIds)
    return { counts: { links: Number((await links.executeTakeFirstOrThrow()).numDeletedRows) } }
  },
}

const columns = ['event_id', 'guest_id', 'access_key', 'customer_id', 'customer_version', 'expires_at'] as const
