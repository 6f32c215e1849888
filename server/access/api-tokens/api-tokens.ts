import { randomBytes } from 'node:crypto'
import type { Scope } from '../../../contract/access.ts'
import { toPagination } from '../../platform/database/pagination.ts'
import { flag } from '../../platform/database/tables.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { hashToken } from '../../platform/security/hash-token.ts'
import { parseEndTime } from '../../platform/time/input-times.ts'
import { widestScope } from '../roles.ts'
import type { ApiTokenRow } from './api-token-rows.ts'

const prefix = 'prf_live_'

type NewToken = { name: string; scopes: Scope[]; reads_notes?: boolean; expires_at?: string | null }

/**
 * The token cannot be read later, because the database has only its hash. Throws VALIDATION_ERROR for a wrong expiry.
 */
export async function createApiToken(
  { db, clock }: PlatformContext,
  userId: number,
  { name, scopes, reads_notes = false, expires_at }: NewToken,
): Promise<{ row: ApiTokenRow; token: string }> {
  const token = prefix + randomBytes(24).toString('base64url')
  const row = await db
    .insertInto('api_tokens')
    .values({
      user_id: userId,
      name,
      token_hash: hashToken(token),
      token_preview: token.slice(0, prefix.length + 4),
      scope: widestScope(scopes),
      reads_notes: flag(reads_notes),
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

/** Returns the tokens of all accounts that are not revoked, the newest first. */
export async function listAccountTokens({ db }: PlatformContext, { page, limit }: { page: number; limit: number }) {
  const unrevoked = db.selectFrom('api_tokens').where('revoked_at', 'is', null)
  const { total } = await unrevoked.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await unrevoked
    .innerJoin('users', 'users.id', 'api_tokens.user_id')
    .selectAll('api_tokens')
    .select(['users.username', 'users.is_active'])
    .orderBy('api_tokens.id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return { rows, pagination: toPagination({ page, limit }, total) }
}

/** Throws NOT_FOUND if there is no such token, or if it is already revoked. With `userId`, only of this account. */
export async function revokeApiToken(ctx: PlatformContext, tokenId: number, userId?: number): Promise<void> {
  const count = await revokeApiTokens(ctx, { id: tokenId, ...(userId !== undefined && { user_id: userId }) })
  if (count === 0) throw new AppError('NOT_FOUND')
}

/** Returns how many tokens of the account were revoked. */
export const revokeTokensOfAccount = (ctx: PlatformContext, userId: number): Promise<number> =>
  revokeApiTokens(ctx, { user_id: userId })

async function revokeApiTokens(
  { db, clock, changes }: PlatformContext,
  filter: { id: number; user_id?: number } | { user_id: number },
): Promise<number> {
  const revoked = await db
    .updateTable('api_tokens')
    .set({ revoked_at: clock.now() })
    .where((where) => where.and(filter))
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute()
  for (const { id } of revoked) changes.notify('api-token', id)
  return revoked.length
}
