import { createHash, randomUUID } from 'node:crypto'
import { createDecoder, createSigner, createVerifier } from 'fast-jwt'
import { AppError } from '../platform/app-error.ts'
import type { Clock } from '../platform/clock.ts'

/** `fam`: the sign-in that the session is part of; sessions of before there were any have none. */
type AdminClaims = { type: 'admin'; sub: string; ver: number; fam?: string }
/** `customer` and `ver`: the customer who entered, and the version of the customer's sessions at that time. */
type GalleryClaims = { type: 'gallery'; event: number; key: string; gid: string; customer?: number; ver?: number }
type CustomerClaims = { type: 'customer'; sub: string; ver: number }
/** `seq`: which token of its sign-in it is. */
type RefreshClaims = { type: 'refresh'; sub: string; ver: number; fam: string; seq: number }
/** A right password that still wants a code. `fac`: the second factor it is about. */
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

/** Signs and verifies the typed JWTs. */
export function createSessionTokens(jwtSecret: string, clock: Clock) {
  const sign = createSigner({ key: jwtSecret, algorithm: 'HS256' })
  const verifySignature = createVerifier({ key: jwtSecret, algorithms: ['HS256'], ignoreExpiration: true })

  const decode = createDecoder()

  return {
    /** What a token says it is; not verified. Null for what is no JWT. */
    typeOf(token: string): unknown {
      try {
        return (decode(token) as { type?: unknown }).type
      } catch {
        return null
      }
    },

    /** The `exp` of a token that has been let in; null for one without. */
    expiryOf: (token: string): number | null => (decode(token) as { exp?: number }).exp ?? null,

    /** Sessions last 24 hours, the way to the second factor 5 minutes. */
    sign(claims: Exclude<Claims, RefreshClaims>): string {
      const iat = Math.floor(clock.now() / 1000)
      return sign({ ...claims, jti: randomUUID(), iat, exp: iat + lifeSeconds[claims.type] })
    },

    /**
     * Lasts 30 days. The same claims of the same time (epoch milliseconds) are the same token, so that it need not be
     * kept.
     */
    signRefresh(claims: RefreshClaims, issuedAt: number): string {
      const iat = Math.floor(issuedAt / 1000)
      return sign({ ...claims, iat, exp: iat + lifeSeconds.refresh })
    },

    /**
     * The claims of a token that this instance signed, of the wanted type; throws INVALID_TOKEN. Expiry is not checked.
     */
    read<T extends SessionType>(token: string, type: T): Extract<SessionClaims, { type: T }> {
      let claims: SessionClaims
      try {
        claims = verifySignature(token)
      } catch {
        throw new AppError('INVALID_TOKEN')
      }
      if (claims.type !== type)
        throw new AppError('INVALID_TOKEN', { text: `A token of the type ${type} is wanted here.` })
      return claims as Extract<SessionClaims, { type: T }>
    },

    /** Throws TOKEN_EXPIRED. */
    assertNotExpired({ exp }: SessionClaims): void {
      if (exp !== undefined && exp * 1000 <= clock.now()) throw new AppError('TOKEN_EXPIRED')
    },
  }
}

/** What a revocation is kept under: the signed part alone, since the signature's own text can be varied. */
export const tokenDigest = (token: string): string =>
  createHash('sha256')
    .update(token.slice(0, token.lastIndexOf('.')))
    .digest('hex')
