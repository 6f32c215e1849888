import { createHash, randomUUID } from 'node:crypto'
import { createDecoder, createSigner, createVerifier } from 'fast-jwt'
import { AppError } from '../platform/errors/app-error.ts'
import type { Clock } from '../platform/time/clock.ts'

/**
 * `fam`: the id of the family in `refresh-families.ts` (one sign-in and its renewals). Sessions that older releases
 * issued have none.
 */
type AdminClaims = { type: 'admin'; sub: string; ver: number; fam?: string }
/** `customer` and `ver`: the customer who entered, and the customer's session version at that time. */
type GalleryClaims = { type: 'gallery'; event: number; key: string; gid: string; customer?: number; ver?: number }
type CustomerClaims = { type: 'customer'; sub: string; ver: number }
/** `seq`: the number of the token in its family. */
type RefreshClaims = { type: 'refresh'; sub: string; ver: number; fam: string; seq: number }
/** For an operator who must still enter a code. `fac`: `created_at` of the second factor. */
type MfaClaims = { type: 'mfa'; sub: string; ver: number; fac: number }
type Claims = AdminClaims | GalleryClaims | CustomerClaims | RefreshClaims | MfaClaims
export type SessionClaims = Claims & { iat: number; exp?: number }
export type SessionType = SessionClaims['type']

export const sessionSeconds = 24 * 3600
export const refreshSeconds = 30 * 24 * 3600
const mfaSeconds = 5 * 60

const lifeSeconds: Record<SessionType, number> = {
  admin: sessionSeconds,
  gallery: sessionSeconds,
  customer: sessionSeconds,
  refresh: refreshSeconds,
  mfa: mfaSeconds,
}

export function createSessionTokens(jwtSecret: string, clock: Clock) {
  const sign = createSigner({ key: jwtSecret, algorithm: 'HS256' })
  const verifySignature = createVerifier({ key: jwtSecret, algorithms: ['HS256'], ignoreExpiration: true })
  const decode = createDecoder()

  return {
    /** Returns the unverified `type` of a JWT; null if the text is no JWT. */
    typeOf(token: string): unknown {
      try {
        return (decode(token) as { type?: unknown }).type
      } catch {
        return null
      }
    },

    /** Returns the expiry of a verified token in epoch milliseconds; null if it has none. */
    expiresAt(token: string): number | null {
      const { exp } = decode(token) as { exp?: number }
      return exp === undefined ? null : exp * 1000
    },

    sign(claims: Exclude<Claims, RefreshClaims>, seconds = lifeSeconds[claims.type]): string {
      const iat = Math.floor(clock.now() / 1000)
      return sign({ ...claims, jti: randomUUID(), iat, exp: iat + seconds })
    },

    /** The same claims and time (epoch milliseconds) give the same token, so that it need not be stored. */
    signRefresh(claims: RefreshClaims, issuedAt: number): string {
      const iat = Math.floor(issuedAt / 1000)
      return sign({ ...claims, iat, exp: iat + lifeSeconds.refresh })
    },

    /** Does not check the expiry. Throws INVALID_TOKEN for a wrong signature or another type. */
    read<T extends SessionType>(token: string, type: T): Extract<SessionClaims, { type: T }> {
      let claims: SessionClaims
      try {
        claims = verifySignature(token)
      } catch {
        throw new AppError('INVALID_TOKEN')
      }
      if (claims.type !== type) throw new AppError('INVALID_TOKEN', { text: `Send a token of the type ${type}.` })
      return claims as Extract<SessionClaims, { type: T }>
    },

    /** Throws TOKEN_EXPIRED. */
    assertNotExpired({ exp }: SessionClaims): void {
      if (exp !== undefined && exp * 1000 <= clock.now()) throw new AppError('TOKEN_EXPIRED')
    },
  }
}

/** Hashes the token without its signature, because the same signature can be encoded in several ways. */
export const tokenDigest = (token: string): string =>
  createHash('sha256')
    .update(token.slice(0, token.lastIndexOf('.')))
    .digest('hex')
