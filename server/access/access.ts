import type { Backends } from '../platform/backends.ts'
import { StateCache } from '../platform/background/changes.ts'
import { createKeyedTurns } from '../platform/background/turns.ts'
import { Refusal } from '../platform/refusal.ts'
import { findUser, type User } from './account-rows.ts'
import { type ApiTokenRow, findApiToken, noteTokenUse } from './api-token-rows.ts'
import type { AccountCaller, CustomerCaller, GuestCaller } from './callers.ts'
import { createGuestTokens } from './guest-tokens.ts'
import { createRateLimits } from './rate-limits.ts'
import { isRevoked, revokeSession } from './revocations.ts'
import { createSessionTokens, type SessionClaims, type SessionType } from './session-tokens.ts'

export type Access = ReturnType<typeof createAccess>

type KnownSession = { claims: SessionClaims }

/** Answers who is asking. Verified credentials are remembered until something about them changes. */
export function createAccess(backends: Backends) {
  const { db, changes, clock, secrets } = backends
  const tokens = createSessionTokens(secrets.jwtSecret, clock)
  const sessions = new StateCache<string, KnownSession>({ max: 20_000 })
  const users = new StateCache<number, User>({ max: 1_000 })
  const apiTokens = new StateCache<string, ApiTokenRow>({ max: 1_000 })
  changes.on('session', () => sessions.drop())
  changes.on('account', () => users.drop())
  changes.on('api-token', () => apiTokens.drop())

  async function session<T extends SessionType>(token: string, type: T): Promise<Extract<SessionClaims, { type: T }>> {
    const known = sessions.get(token)
    const claims = known?.claims.type === type ? known.claims : tokens.read(token, type)
    tokens.judgeExpiry(claims)
    if (claims !== known?.claims) {
      const checked = await sessions.getOrLoad(token, async () => {
        return (await isRevoked(db, token)) ? undefined : { claims }
      })
      if (!checked) throw new Refusal('TOKEN_REVOKED')
    }
    return claims as Extract<SessionClaims, { type: T }>
  }

  const guestOf = ({ event, key, gid, customer, ver }: Extract<SessionClaims, { type: 'gallery' }>): GuestCaller => ({
    eventId: event,
    accessKey: key,
    guestId: gid,
    ...(customer !== undefined && { customer: { customerId: customer, version: ver ?? 0 } }),
  })

  /** Throws INVALID_TOKEN, TOKEN_EXPIRED, TOKEN_REVOKED or OWNER_INACTIVE. */
  async function admin(token: string, via: AccountCaller['via']): Promise<AccountCaller> {
    if (isApiToken(token)) throw wrongFamily('An API token is not accepted here: sign in as an admin.')
    const claims = await session(token, 'admin')
    const user = await users.getOrLoad(Number(claims.sub), () => findUser(db, Number(claims.sub)))
    if (!user) throw new Refusal('INVALID_TOKEN')
    if (user.is_active === 0) throw new Refusal('OWNER_INACTIVE')
    if (user.session_version !== claims.ver) throw new Refusal('TOKEN_REVOKED')
    return { user, scope: null, via }
  }

  /** Throws INVALID_TOKEN, TOKEN_EXPIRED or TOKEN_REVOKED. Whether the event still wants this guest is not judged here. */
  const guest = async (token: string): Promise<GuestCaller> => guestOf(await session(token, 'gallery'))

  return {
    signAdminSession: (user: User): string =>
      tokens.sign({ type: 'admin', sub: String(user.id), ver: user.session_version }),

    signGallerySession: ({ eventId, accessKey, guestId, customer }: GuestCaller): string =>
      tokens.sign({
        type: 'gallery',
        event: eventId,
        key: accessKey,
        gid: guestId,
        ...(customer && { customer: customer.customerId, ver: customer.version }),
      }),

    signCustomerSession: ({ customerId, version }: CustomerCaller): string =>
      tokens.sign({ type: 'customer', sub: String(customerId), ver: version }),

    guestTokens: createGuestTokens(secrets.jwtSecret, clock),

    admin,

    /** One at a time for each key: attempts at a password take turns. */
    inTurn: createKeyedTurns(),

    limits: createRateLimits(backends),

    /** Whoever comes to a gallery: a guest, or an admin looking in (interface, "Gallery access"). */
    async visitor(token: string, via: AccountCaller['via']): Promise<GuestCaller | AccountCaller> {
      if (isApiToken(token)) throw wrongFamily('An API token is not accepted here: enter the gallery by its link.')
      return tokens.typeOf(token) === 'admin' ? admin(token, via) : guest(token)
    },

    /** Throws INVALID_TOKEN, TOKEN_EXPIRED or TOKEN_REVOKED. Whether there still is such a customer is not judged here. */
    async customer(token: string): Promise<CustomerCaller> {
      if (isApiToken(token)) throw wrongFamily('An API token is not accepted here: sign in as a customer.')
      const { sub, ver } = await session(token, 'customer')
      return { customerId: Number(sub), version: ver }
    },

    /** Throws INVALID_TOKEN, TOKEN_EXPIRED, TOKEN_REVOKED or OWNER_INACTIVE. */
    async apiToken(token: string): Promise<AccountCaller> {
      if (!isApiToken(token)) throw wrongFamily('An API token (prf_live_…) is wanted here, not a session.')
      const row = await findApiToken(db, apiTokens, token)
      if (!row) throw new Refusal('INVALID_TOKEN')
      if (row.revoked_at !== null) throw new Refusal('TOKEN_REVOKED')
      if (row.expires_at !== null && row.expires_at <= clock.now()) throw new Refusal('TOKEN_EXPIRED')
      const user = await users.getOrLoad(row.user_id, () => findUser(db, row.user_id))
      if (!user || user.is_active === 0) throw new Refusal('OWNER_INACTIVE')
      noteTokenUse(backends, row)
      return { user, scope: row.scope, tokenId: row.id, via: 'header' }
    },

    /** A guest without waiting, by a token seen before and still valid; null where it takes a look at the database. */
    knownGuest(token: string): GuestCaller | null {
      const claims = sessions.get(token)?.claims
      if (claims?.type !== 'gallery') return null
      if (claims.exp !== undefined && claims.exp * 1000 <= clock.now()) return null
      return guestOf(claims)
    },

    /** When a session that has been let in ends by itself, in epoch milliseconds; null: never. */
    endOf(token: string): number | null {
      const exp = tokens.expiryOf(token)
      return exp === null ? null : exp * 1000
    },

    /**
     * Ends a session for good. A token that is no session of this instance is none to end. That the revocation cannot
     * be stored is a defect, whatever the cause: a 500 (interface, "Logout and revocation").
     */
    async endSession(token: string, type: SessionType): Promise<void> {
      let claims: SessionClaims
      try {
        claims = tokens.read(token, type)
      } catch (error) {
        if (error instanceof Refusal) return
        throw error
      }
      await revokeSession(backends, token, claims).catch((cause) => {
        throw new Error('The revocation of a session could not be stored', { cause })
      })
    },
  }
}

const isApiToken = (token: string): boolean => token.startsWith('prf_')

const wrongFamily = (text: string): Refusal => new Refusal('INVALID_TOKEN', { text })
