import { createHash, randomUUID } from 'node:crypto'
import { createDecoder, createSigner, createVerifier } from 'fast-jwt'
import type { Clock } from '../platform/clock.ts'
import { Refusal } from '../platform/refusal.ts'

type AdminClaims = { type: 'admin'; sub: string; ver: number }
/** `customer` and `ver`: the customer who entered, and the version of the customer's sessions at that time. */
type GalleryClaims = { type: 'gallery'; event: number; key: string; gid: string; customer?: number; ver?: number }
type CustomerClaims = { type: 'customer'; sub: string; ver: number }
type Claims = AdminClaims | GalleryClaims | CustomerClaims
export type SessionClaims = Claims & { iat: number; exp?: number }
export type SessionType = SessionClaims['type']

export const sessionSeconds = 24 * 3600

/** Signs and verifies the typed JWTs (interface, "Token types"). */
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

    /** Lasts 24 hours. */
    sign(claims: Claims): string {
      const iat = Math.floor(clock.now() / 1000)
      return sign({ ...claims, jti: randomUUID(), iat, exp: iat + sessionSeconds })
    },

    /** The claims of a token that this instance signed, of the wanted type; throws INVALID_TOKEN. Expiry is not judged. */
    read<T extends SessionType>(token: string, type: T): Extract<SessionClaims, { type: T }> {
      let claims: SessionClaims
      try {
        claims = verifySignature(token)
      } catch {
        throw new Refusal('INVALID_TOKEN')
      }
      if (claims.type !== type)
        throw new Refusal('INVALID_TOKEN', { text: `A session of the type ${type} is wanted here.` })
      return claims as Extract<SessionClaims, { type: T }>
    },

    /** Throws TOKEN_EXPIRED. */
    judgeExpiry({ exp }: SessionClaims): void {
      if (exp !== undefined && exp * 1000 <= clock.now()) throw new Refusal('TOKEN_EXPIRED')
    },
  }
}

/** What a revocation is kept under: the signed part alone, since the signature's own text can be varied. */
export const tokenDigest = (token: string): string =>
  createHash('sha256')
    .update(token.slice(0, token.lastIndexOf('.')))
    .digest('hex')
