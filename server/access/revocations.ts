import type { Backends } from '../platform/backends.ts'
import type { Database } from '../platform/database/tables.ts'
import { type SessionClaims, tokenDigest } from './session-tokens.ts'

export type RevokedSessionTable = {
  token_digest: string
  /** Null: a token without expiry, whose record is kept for ever (interface, "Logout and revocation"). */
  expires_at: number | null
  revoked_at: number
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    revoked_sessions: RevokedSessionTable
  }
}

export async function revokeSession({ db, clock, changes }: Backends, token: string, claims: SessionClaims) {
  const expiresAt = claims.exp === undefined ? null : claims.exp * 1000
  await db
    .insertInto('revoked_sessions')
    .values({ token_digest: tokenDigest(token), expires_at: expiresAt, revoked_at: clock.now() })
    .onConflict((conflict) => conflict.column('token_digest').doNothing())
    .execute()
  changes.tell('session', null)
}

export async function isRevoked(db: Database, token: string): Promise<boolean> {
  const found = await db
    .selectFrom('revoked_sessions')
    .select('revoked_at')
    .where('token_digest', '=', tokenDigest(token))
    .executeTakeFirst()
  return found !== undefined
}

/** Forgets revocations of tokens that have expired by themselves. */
export async function pruneRevocations({ db, clock }: Backends): Promise<void> {
  await db.deleteFrom('revoked_sessions').where('expires_at', '<', clock.now()).execute()
}
