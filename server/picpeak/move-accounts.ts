import { getFirstSuperAdmin } from '../access/account-rows.ts'
import { addMovedToken } from '../access/api-tokens/api-token-rows.ts'
import { addAccount, changeAccount, lockAccounts } from '../access/change-account.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { t } from '../platform/text/command-messages.ts'
import type { Move } from './move-context.ts'
import { readAll } from './picpeak-source.ts'
import { findNamesake, readAccounts, readTokens, replaces, type SourceAccount } from './read-accounts.ts'
import { toLine, toTime, toWhole } from './source/source-values.ts'

export type MovedAccounts = {
  /** The ids here by those of the source. If accounts are not moved, all of them become the first super admin here. */
  userIds: Map<number, number>
  /** Ids of the source whose account this run has created or replaced. */
  created: Set<number>
}

/** Moves accounts with their password hashes. */
export async function moveAccounts(move: Move): Promise<MovedAccounts> {
  const { ctx, source, moved, accounts } = move
  const known = await moved.list('account')
  const userIds = new Map<number, number>()
  const created = new Set<number>()
  if (accounts === 'none') {
    const { id } = await getFirstSuperAdmin(ctx.db)
    for (const row of await readAll(source.database.read('admin_users'))) userIds.set(toWhole(row.id) ?? 0, id)
    return { userIds, created }
  }
  for (const account of await readAccounts(move)) {
    const there = known.get(String(account.id))
    const { userId, isCreated } =
      there === undefined ? await moveAccount(move, account) : { userId: Number(there), isCreated: false }
    userIds.set(account.id, userId)
    if (isCreated) created.add(account.id)
    if (there === undefined) await moved.record(ctx.db, 'account', [[account.id, userId]])
  }
  return { userIds, created }
}

async function moveAccount(move: Move, account: SourceAccount): Promise<{ userId: number; isCreated: boolean }> {
  const { ctx, add } = move
  const { id: sourceId, username, email, role, passwordHash } = account
  if (passwordHash === null) add('admin_users', sourceId, t('accountPasswordUnreadable'))
  const columns = {
    role,
    password_hash: passwordHash ?? '',
    must_change_password: account.mustChangePassword,
    is_active: account.isActive,
  }
  const existing = await findNamesake(move, account)
  if (existing && !replaces(move, existing)) {
    add('admin_users', sourceId, t('accountExists', { user: existing.username }))
    return { userId: existing.id, isCreated: false }
  }
  const user = await inTransaction(ctx.db, 'everything', async (tx) => {
    await lockAccounts(tx)
    const names = { username, email }
    const empty = { ...names, role, passwordHash: '', mustChangePassword: false }
    const { id } = existing ?? (await addAccount(ctx, tx, empty))
    return changeAccount(tx, id, { ...names, ...columns }, { endsSessions: true })
  })
  if (existing) add('admin_users', sourceId, t('accountReplaced', { user: existing.username }))
  ctx.changes.notify('account', user.id)
  return { userId: user.id, isCreated: true }
}

/**
 * Moves API tokens: their hashes are those of Proofroom. Into an instance with other events they arrive revoked.
 * Without `keep`, accounts that were here before get no tokens.
 */
export async function moveTokens(move: Move, { userIds, created }: MovedAccounts): Promise<void> {
  const { ctx, moved, add, keepsIds, accounts } = move
  const known = await moved.list('token')
  const now = ctx.clock.now()
  for (const { row, name, hash, accountId, scope, expiresAt, revokedAt } of await readTokens(move)) {
    const sourceId = toWhole(row.id)
    const userId = userIds.get(accountId)
    if (sourceId === null || known.has(String(sourceId))) continue
    if (hash === null || userId === undefined) {
      add('api_tokens', row.id, t('tokenUnreadable'))
      continue
    }
    if (accounts !== 'keep' && !created.has(accountId)) {
      add('api_tokens', row.id, t('tokenOfOlderAccount'))
      continue
    }
    if (!keepsIds && revokedAt === null) {
      add('api_tokens', row.id, t('tokenRevoked'))
    }
    const id = await addMovedToken(ctx.db, {
      user_id: userId,
      name,
      token_hash: hash,
      token_preview: `pp_live_${toLine(row.preview) ?? ''}`,
      scope,
      expires_at: expiresAt,
      last_used_at: toTime(row.last_used_at),
      revoked_at: revokedAt ?? (keepsIds ? null : now),
      created_at: toTime(row.created_at) ?? now,
    })
    if (id !== null) await moved.record(ctx.db, 'token', [[sourceId, id]])
    else add('api_tokens', row.id, t('tokenExists'))
  }
  ctx.changes.notify('api-token', null)
}
