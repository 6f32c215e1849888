import { byKey } from '../platform/database/short-read.ts'
import type { Database, Tx } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { endFamily, findFamily } from './refresh-families.ts'
import { type SessionClaims, tokenDigest } from './session-tokens.ts'

export type RevokedSessionTable = {
  token_digest: string
  /** null: the token never expires, so the row is never deleted. */
  expires_at: number | null
  revoked_at: number
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    revoked_sessions: RevokedSessionTable
  }
}

type EndedSession = { token: string; claims: SessionClaims }

export async function revokeSessions({ db, clock, changes }: PlatformContext, ended: EndedSession[]): Promise<void> {
  if (ended.length === 0) return
  await inTransaction(db, 'work revocations', async (tx) => {
    for (const one of ended) {
      await revokeSession(tx, one, clock.now())
      const family = familyId(one.claims)
      if (family) await endFamily(tx, family)
    }
  })
  changes.notify('session', null)
}

async function revokeSession(tx: Tx, { token, claims }: EndedSession, now: number): Promise<void> {
  const expiresAt = claims.exp === undefined ? null : claims.exp * 1000
  await tx
    .insertInto('revoked_sessions')
    .values({ token_digest: tokenDigest(token), expires_at: expiresAt, revoked_at: now })
    .onConflict((conflict) => conflict.column('token_digest').doNothing())
    .execute()
}

/** Whether the session is revoked, or its sign-in has ended. */
export async function isSessionEnded(db: Database, token: string, claims: SessionClaims): Promise<boolean> {
  const revoked = await db
    .selectFrom('revoked_sessions')
    .select('revoked_at')
    .where('token_digest', '=', tokenDigest(token))
    .modifyEnd(byKey)
    .executeTakeFirst()
  if (revoked) return true
  const family = familyId(claims)
  return family !== null && (await findFamily(db, family)) === undefined
}

const familyId = (claims: SessionClaims): string | null => ('fam' in claims ? (claims.fam ?? null) : null)

export async function pruneRevocations({ db, clock }: PlatformContext): Promise<void> {
  await db.deleteFrom('revoked_sessions').where('expires_at', '<', clock.now()).execute()
}
