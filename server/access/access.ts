import { AppError } from '../platform/app-error.ts'
import { StateCache } from '../platform/background/changes.ts'
import { createKeyedMutex } from '../platform/background/keyed-mutex.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { findUser, type User } from './account-rows.ts'
import { type ApiTokenRow, findApiToken, recordTokenUse } from './api-token-rows.ts'
import type { AccountCaller, CustomerCaller, GuestCaller } from './callers.ts'
import { createGuestTokens } from './guest-tokens.ts'
import { createRateLimits, type MaxRequests } from './rate-limits.ts'
import type { RefreshFamily } from './refresh-families.ts'
import { isSessionEnded, revokeSessions } from './revocations.ts'
import { createSessionTokens, type SessionClaims, type SessionType } from './session-tokens.ts'

export type Access = ReturnType<typeof createAccess>

type VerifiedSession = { claims: SessionClaims }

/** Identifies callers by their credentials. Verified credentials are cached until something about them changes. */
export function createAccess(ctx: PlatformContext, maxRequests?: MaxRequests) {
  const { db, changes, clock, secrets } = ctx
  const tokens = createSessionTokens(secrets.jwtSecret, clock)
  const sessions = new StateCache<string, VerifiedSession>(changes, { max: 20_000 })
  const users = new StateCache<number, User>(changes, { max: 1_000 })
  const apiTokens = new StateCache<string, ApiTokenRow>(changes, { max: 1_000 })
  changes.on('session', () => sessions.drop())
  changes.on('account', () => users.drop())
  changes.on('api-token', () => apiTokens.drop())

  /** Does not check whether the session has ended. Throws INVALID_TOKEN or TOKEN_EXPIRED. */
  function readClaims<T extends SessionType>(token: string, type: T): Extract<SessionClaims, { type: T }> {
    const known = sessions.get(token)?.claims
    const claims = known?.type === type ? known : tokens.read(token, type)
    tokens.assertNotExpired(claims)
    return claims as Extract<SessionClaims, { type: T }>
  }

  /** Throws TOKEN_REVOKED. */
  async function assertNotEnded(token: string, claims: SessionClaims): Promise<void> {
    if (sessions.get(token)?.claims === claims) return
    const checked = await sessions.getOrLoad(token, async () => {
      return (await isSessionEnded(db, token, claims)) ? undefined : { claims }
    })
    if (!checked) throw new AppError('TOKEN_REVOKED')
  }

  async function session<T extends SessionType>(token: string, type: T): Promise<Extract<SessionClaims, { type: T }>> {
    const claims = readClaims(token, type)
    await assertNotEnded(token, claims)
    return claims
  }

  function tryReadClaims<T extends SessionType>(token: string, type: T) {
    try {
      return tokens.read(token, type)
    } catch (error) {
      if (error instanceof AppError) return null
      throw error
    }
  }

  const toGuestCaller = ({
    event,
    key,
    gid,
    customer,
    ver,
  }: Extract<SessionClaims, { type: 'gallery' }>): GuestCaller => ({
    eventId: event,
    accessKey: key,
    guestId: gid,
    ...(customer !== undefined && { customer: { customerId: customer, version: ver ?? 0 } }),
  })

  /** Throws INVALID_TOKEN, TOKEN_EXPIRED, TOKEN_REVOKED or OWNER_INACTIVE. */
  async function admin(token: string, via: AccountCaller['via']): Promise<AccountCaller> {
    if (isApiToken(token)) throw wrongTokenType('An API token is not accepted here: sign in as an admin.')
    const claims = readClaims(token, 'admin')
    const user = await users.getOrLoad(Number(claims.sub), () => findUser(db, Number(claims.sub)))
    if (!user) throw new AppError('INVALID_TOKEN')
    // Checked first, because a deactivation also ends all sessions.
    if (user.is_active === 0) throw new AppError('OWNER_INACTIVE')
    await assertNotEnded(token, claims)
    if (user.session_version !== claims.ver) throw new AppError('TOKEN_REVOKED')
    return { user, scope: null, via }
  }

  /** Does not check whether the event still admits this guest. Throws INVALID_TOKEN, TOKEN_EXPIRED or TOKEN_REVOKED. */
  const guest = async (token: string): Promise<GuestCaller> => toGuestCaller(await session(token, 'gallery'))

  return {
    /** Valid as long as its family and this session version of the account. */
    signAdminSession: ({ id, user_id, session_version }: RefreshFamily): string =>
      tokens.sign({ type: 'admin', sub: String(user_id), ver: session_version, fam: id }),

    /** Returns the current token of the family, the same text each time. */
    signRefreshToken: ({ id, user_id, session_version, sequence, issued_at }: RefreshFamily): string =>
      tokens.signRefresh(
        { type: 'refresh', sub: String(user_id), ver: session_version, fam: id, seq: sequence },
        issued_at,
      ),

    /** For a user who has given the right password. `factorCreatedAt` identifies the second factor. */
    signMfaToken: (user: User, factorCreatedAt: number): string =>
      tokens.sign({ type: 'mfa', sub: String(user.id), ver: user.session_version, fac: factorCreatedAt }),

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

    /** Password attempts with the same key run one after another. */
    inTurn: createKeyedMutex(),

    limits: createRateLimits(ctx, maxRequests),

    /** Returns a guest, or an admin who visits the gallery. */
    async visitor(token: string, via: AccountCaller['via']): Promise<GuestCaller | AccountCaller> {
      if (isApiToken(token)) throw wrongTokenType('An API token is not accepted here: enter the gallery by its link.')
      return tokens.typeOf(token) === 'admin' ? admin(token, via) : guest(token)
    },

    /** Does not check whether the customer still exists. Throws INVALID_TOKEN, TOKEN_EXPIRED or TOKEN_REVOKED. */
    async customer(token: string): Promise<CustomerCaller> {
      if (isApiToken(token)) throw wrongTokenType('An API token is not accepted here: sign in as a customer.')
      const { sub, ver } = await session(token, 'customer')
      return { customerId: Number(sub), version: ver }
    },

    /** Does not check whether the family still accepts this token. Throws INVALID_TOKEN or TOKEN_EXPIRED. */
    refreshToken(token: string) {
      if (isApiToken(token))
        throw wrongTokenType('An API token is not accepted here: send the refresh_token of a sign-in.')
      const claims = tokens.read(token, 'refresh')
      tokens.assertNotExpired(claims)
      return claims
    },

    /** Throws INVALID_TOKEN, TOKEN_EXPIRED or TOKEN_REVOKED. */
    mfaToken(token: string) {
      if (isApiToken(token)) throw wrongTokenType('An API token is not accepted here: send the mfaToken of a sign-in.')
      return session(token, 'mfa')
    },

    /** Throws INVALID_TOKEN, TOKEN_EXPIRED, TOKEN_REVOKED or OWNER_INACTIVE. */
    async apiToken(token: string): Promise<AccountCaller> {
      if (!isApiToken(token)) throw wrongTokenType('An API token (prf_live_…) is wanted here, not a session.')
      const row = await findApiToken(db, apiTokens, token)
      if (!row) throw new AppError('INVALID_TOKEN')
      if (row.revoked_at !== null) throw new AppError('TOKEN_REVOKED')
      if (row.expires_at !== null && row.expires_at <= clock.now()) throw new AppError('TOKEN_EXPIRED')
      const user = await users.getOrLoad(row.user_id, () => findUser(db, row.user_id))
      if (!user || user.is_active === 0) throw new AppError('OWNER_INACTIVE')
      recordTokenUse(ctx, row)
      return { user, scope: row.scope, tokenId: row.id, via: 'header' }
    },

    /** Returns the guest of a cached valid token; null if a database read is necessary. */
    cachedGuest(token: string): GuestCaller | null {
      const claims = sessions.get(token)?.claims
      if (claims?.type !== 'gallery') return null
      if (claims.exp !== undefined && claims.exp * 1000 <= clock.now()) return null
      return toGuestCaller(claims)
    },

    /** Returns the expiry of an accepted session in epoch milliseconds; null if it has none. */
    sessionExpiresAt(token: string): number | null {
      const exp = tokens.expiryOf(token)
      return exp === null ? null : exp * 1000
    },

    /** Whether a gallery session belongs to a customer. Reads no database. */
    isCustomerSession: (token: string): boolean => tryReadClaims(token, 'gallery')?.customer !== undefined,

    /**
     * Ends all of these sessions or none, and with an admin session its whole sign-in. Ignores invalid tokens. A
     * failure to store this is always a defect (500).
     */
    async endSessions(ended: Array<{ token: string | null | undefined; type: SessionType }>): Promise<void> {
      const ends = ended.flatMap(({ token, type }) => {
        const claims = token ? tryReadClaims(token, type) : null
        return token && claims ? { token, claims } : []
      })
      await revokeSessions(ctx, ends).catch((cause) => {
        throw new Error('The revocation of a session could not be stored', { cause })
      })
    },
  }
}

const isApiToken = (token: string): boolean => token.startsWith('prf_')

const wrongTokenType = (text: string): AppError => new AppError('INVALID_TOKEN', { text })
