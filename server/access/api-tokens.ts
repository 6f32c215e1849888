import { randomBytes } from 'node:crypto'
import type { Scope } from '../../contract/access.ts'
import { AppError } from '../platform/app-error.ts'
import { parseEndTime } from '../platform/input-times.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { type ApiTokenRow, hashApiToken } from './api-token-rows.ts'
import { widestScope } from './roles.ts'

const prefix = 'prf_live_'

type NewToken = { name: string; scopes: Scope[]; expires_at?: string | null }

/**
 * The token cannot be read later, because the database has only its hash. Throws VALIDATION_ERROR for a wrong expiry.
 */
export async function createApiToken(
  { db, clock }: PlatformContext,
  userId: number,
  { name, scopes, expires_at }: NewToken,
): Promise<{ row: ApiTokenRow; token: string }> {
  const token = prefix + randomBytes(24).toString('base64url')
  const row = await db
    .insertInto('api_tokens')
    .values({
      user_id: userId,
      name,
      token_hash: hashApiToken(token),
      token_preview: token.slice(0, prefix.length + 4),
      scope: widestScope(scopes),
      expires_at: expires_at ? parseEndTime('expires_at', expires_at, clock) : null,
      last_used_at: null,
      revoked_at: null,
      created_at: clock.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { row, token }
}

export const listApiTokens = ({ db }: PlatformContext, userId: number): Promise<ApiTokenRow[]> =>
  db
    .selectFrom('api_tokens')
    .selectAll()
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .execute()

/** Throws NOT_FOUND if the account has no such token, or if it is already revoked. */
export async function revokeApiToken({ db, clock, changes }: PlatformContext, userId: number, tokenId: number) {
  const { numUpdatedRows } = await db
    .updateTable('api_tokens')
    .set({ revoked_at: clock.now() })
    .where('id', '=', tokenId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new AppError('NOT_FOUND')
  changes.notify('api-token', tokenId)
}
