import { StateCache } from '../platform/background/changes.ts'
import { createKeyedMutex } from '../platform/background/keyed-mutex.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { addressKey } from '../platform/network/client-address.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { findUser, type User, validateAccount } from './account-rows.ts'
import { type ApiTokenRow, findApiToken, recordTokenUse } from './api-tokens/api-token-rows.ts'
import type { AccountCaller, CustomerCaller, GuestCaller } from './callers.ts'
import { createGuestTokens } from './guest-tokens.ts'
import { createUnknownKeys } from './limits/limit-keys.ts'
import { consume, createRateLimits, type MaxRequests } from './limits/rate-limits.ts'
import { createPictureSignatures } from './picture-signatures.ts'
import type { RefreshFamily } from './refresh-families.ts'
import { isSessionEnded, revokeSessions } from './revocations.ts'
import { createSessionTokens, type SessionClaims, type SessionType } from './session-tokens.ts'

export type Access = ReturnType<typeof createAccess>

export type AccessContext = PlatformContext & { access: Access }

type SessionTokens = ReturnType<typeof createSessionTokens>
type ClaimsOf<T extends SessionType> = Extract<SessionClaims, { type: T }>

/** Identifies callers by their credentials. Caches verified sessions, accounts and API tokens until they change. */
export function createAccess(ctx: PlatformContext, maxRequests?: MaxRequests) {
  const { clock, secrets } = ctx
  const tokens = createSessionTokens(secrets.jwtSecret, clock)
  const limits = createRateLimits(ctx, maxRequests)
  const sessions = createSessionReader(ctx, tokens, limits)
  const accounts = createAccountReader(ctx, sessions)

  return {
    ...createSigners(tokens),
    ...accounts,
    sessionExpiresAt: tokens.expiresAt,
    endSessions: sessions.end,
    guestTokens: createGuestTokens(secrets.jwtSecret, clock),
    pictureSignatures: createPictureSignatures(secrets.jwtSecret),
    /** Password attempts with the same key run one after another. */
    inTurn: createKeyedMutex(),
    limits,
    /** The key of a limit for something that does not exist, such as a slug. */
    unknownKey: createUnknownKeys(secrets.jwtSecret),

    /** Returns an admin or a guest. Does not check whether the event still accepts the session of the guest. */
    async visitor(token: string, via: AccountCaller['via']): Promise<GuestCaller | AccountCaller> {
      assertNoApiToken(token, 'Open the gallery by its link')
      if (tokens.typeOf(token) === 'admin') return accounts.admin(token, via)
      return toGuestCaller(await sessions.verify(token, 'gallery'))
    },

    /** Checks the token, not the account of the customer. Throws INVALID_TOKEN, TOKEN_EXPIRED or TOKEN_REVOKED. */
    async customer(token: string): Promise<CustomerCaller> {
      assertNoApiToken(token, 'Sign in as a customer')
      const { sub, ver } = await sessions.verify(token, 'customer')
      return { customerId: Number(sub), version: ver }
    },

    /** Does not check whether the token was already used or revoked. Throws INVALID_TOKEN or TOKEN_EXPIRED. */
    refreshToken(token: string) {
      assertNoApiToken(token, 'Send the refresh_token of a sign-in')
      const claims = tokens.read(token, 'refresh')
      tokens.assertNotExpired(claims)
      return claims
    },

    /** Throws INVALID_TOKEN, TOKEN_EXPIRED or TOKEN_REVOKED. */
    mfaToken(token: string) {
      assertNoApiToken(token, 'Send the mfaToken of a sign-in')
      return sessions.verify(token, 'mfa')
    },

    /** Returns null if the token is not cached as a gallery session or has expired. Reads no database. */
    cachedGuest(token: string): GuestCaller | null {
      const claims = sessions.cached(token)
      if (claims?.type !== 'gallery') return null
      return claims.exp !== undefined && claims.exp * 1000 <= clock.now() ? null : toGuestCaller(claims)
    },

    /** Whether the token is a gallery session of a customer. Does not check whether it has expired or was revoked. */
    isCustomerSession: (token: string): boolean => sessions.tryRead(token, 'gallery')?.customer !== undefined,
  }
}

const createSigners = (tokens: SessionTokens) => ({
  /**
   * The token is valid for 24 hours. It ends earlier with its family, or when the session version of the account
   * changes.
   */
  signAdminSession: ({ id, user_id, session_version }: RefreshFamily): string =>
    tokens.sign({ type: 'admin', sub: String(user_id), ver: session_version, fam: id }),

  /** Returns the current token of the family (one sign-in and its renewals). The same row gives the same token. */
  signRefreshToken: ({ id, user_id, session_version, sequence, issued_at }: RefreshFamily): string =>
    tokens.signRefresh(
      { type: 'refresh', sub: String(user_id), ver: session_version, fam: id, seq: sequence },
      issued_at,
    ),

  /** For a user who must still enter a code. `factorCreatedAt` identifies the second factor. */
  signMfaToken: (user: User, factorCreatedAt: number): string =>
    tokens.sign({ type: 'mfa', sub: String(user.id), ver: user.session_version, fac: factorCreatedAt }),

  signGallerySession({ eventId, accessKey, guestId, customer }: GuestCaller, seconds: number): string {
    const customerClaims = customer && { customer: customer.customerId, ver: customer.version }
    return tokens.sign({ type: 'gallery', event: eventId, key: accessKey, gid: guestId, ...customerClaims }, seconds)
  },

  signCustomerSession: ({ customerId, version }: CustomerCaller): string =>
    tokens.sign({ type: 'customer', sub: String(customerId), ver: version }),
})

function createSessionReader(ctx: PlatformContext, tokens: SessionTokens, limits: ReturnType<typeof createRateLimits>) {
  const { db, changes } = ctx
  const verified = new StateCache<string, SessionClaims>(changes, { max: 20_000 })
  changes.on('session', () => verified.drop())

  function tryRead<T extends SessionType>(token: string, type: T): ClaimsOf<T> | null {
    try {
      return tokens.read(token, type)
    } catch (error) {
      return nullForAppError(error)
    }
  }

  /** Does not check whether the session has ended. Throws INVALID_TOKEN or TOKEN_EXPIRED. */
  function readClaims<T extends SessionType>(token: string, type: T): ClaimsOf<T> {
    const known = verified.get(token)
    const claims = known?.type === type ? (known as ClaimsOf<T>) : tokens.read(token, type)
    tokens.assertNotExpired(claims)
    return claims
  }

  /** Throws TOKEN_REVOKED. */
  async function assertNotEnded(token: string, claims: SessionClaims): Promise<void> {
    const checked = await verified.getOrLoad(token, async () => {
      return (await isSessionEnded(db, token, claims)) ? undefined : claims
    })
    if (!checked) throw new AppError('TOKEN_REVOKED')
  }

  async function verify<T extends SessionType>(token: string, type: T): Promise<ClaimsOf<T>> {
    const claims = readClaims(token, type)
    await assertNotEnded(token, claims)
    return claims
  }

  /**
   * Revokes the tokens in one transaction, with their refresh families if they have any. Ignores tokens that are
   * invalid or have ended. Gallery sessions cost nothing, and each row stays until its session would expire, so their
   * number is limited. Throws RATE_LIMITED for too many from the address `ip`, and STORAGE_FULL if there is no space
   * for guests.
   */
  async function end(
    ended: Array<{ token: string | null | undefined; type: SessionType }>,
    ip?: string,
  ): Promise<void> {
    const ends: Array<{ token: string; claims: SessionClaims }> = []
    for (const { token, type } of ended) {
      const claims = token ? tryRead(token, type) : null
      if (token && claims && !(await isSessionEnded(db, token, claims))) ends.push({ token, claims })
    }
    const galleries = ends.flatMap(({ claims }) => (claims.type === 'gallery' ? claims : []))
    if (ip !== undefined) for (const _ of galleries) await consume(limits.guestSignOuts(addressKey(ip)))
    if (galleries.some(({ customer }) => customer === undefined)) await ctx.database.ensureSpaceForGuest()
    await revokeSessions(ctx, ends).catch((cause) => {
      throw new Error('Could not store the revocation of a session', { cause })
    })
  }

  return { cached: (token: string) => verified.get(token), tryRead, readClaims, assertNotEnded, verify, end }
}

function createAccountReader(ctx: PlatformContext, sessions: ReturnType<typeof createSessionReader>) {
  const { db, changes, clock } = ctx
  const users = new StateCache<number, User>(changes, { max: 1_000 })
  const apiTokens = new StateCache<string, ApiTokenRow>(changes, { max: 1_000 })
  changes.on('account', () => users.drop())
  changes.on('api-token', () => apiTokens.drop())
  const loadUser = (id: number) => users.getOrLoad(id, () => findUser(db, id))

  return {
    /** Throws INVALID_TOKEN, TOKEN_EXPIRED, TOKEN_REVOKED or OWNER_INACTIVE. */
    async admin(token: string, via: AccountCaller['via']): Promise<AccountCaller> {
      assertNoApiToken(token, 'Sign in as an admin')
      const claims = sessions.readClaims(token, 'admin')
      const user = validateAccount(await loadUser(Number(claims.sub)), claims.ver)
      await sessions.assertNotEnded(token, claims)
      return { user, scope: null, via }
    },

    /** Throws INVALID_TOKEN, TOKEN_EXPIRED, TOKEN_REVOKED or OWNER_INACTIVE. */
    async apiToken(token: string): Promise<AccountCaller> {
      if (!isApiToken(token)) {
        throw new AppError('INVALID_TOKEN', { text: 'Send an API token (prf_live_…) instead of a session token.' })
      }
      const row = await findApiToken(db, apiTokens, token)
      if (!row) throw new AppError('INVALID_TOKEN')
      if (row.revoked_at !== null) throw new AppError('TOKEN_REVOKED')
      if (row.expires_at !== null && row.expires_at <= clock.now()) throw new AppError('TOKEN_EXPIRED')
      const user = await loadUser(row.user_id)
      if (!user || user.is_active === 0) throw new AppError('OWNER_INACTIVE')
      recordTokenUse(ctx, row)
      return { user, scope: row.scope, tokenId: row.id, readsNotes: row.reads_notes === 1, via: 'header' }
    },
  }
}

const toGuestCaller = ({ event, key, gid, customer, ver }: ClaimsOf<'gallery'>): GuestCaller => ({
  eventId: event,
  accessKey: key,
  guestId: gid,
  ...(customer !== undefined && {
    customer: { customerId: customer, version: ver ?? 0 },
  }),
})

/** Tokens that were moved from PicPeak keep their form, `pp_live_…`. */
export const isApiToken = (token: string): boolean => token.startsWith('prf_') || token.startsWith('pp_live_')

function assertNoApiToken(token: string, advice: string): void {
  if (isApiToken(token)) throw new AppError('INVALID_TOKEN', { text: `API tokens are not accepted here. ${advice}.` })
}

export function nullForAppError(error: unknown): null {
  if (error instanceof AppError) return null
  throw error
}
