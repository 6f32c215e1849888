import type { Role } from '../../contract/access.ts'
import { roles, scopes } from '../../contract/access.ts'
import { findUserByLogin, type User } from '../access/account-rows.ts'
import { addMovedToken } from '../access/api-token-rows.ts'
import { addAccount, changeAccount, lockAccounts } from '../access/change-account.ts'
import { widestScope } from '../access/roles.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { Move } from './move-context.ts'
import { readAll } from './picpeak-source.ts'
import { type SourceRow, toFlag, toLine, toTime, toWhole } from './source/source-values.ts'

/** Moves accounts with their roles and password hashes. Returns the ids here by those of the source. */
export async function moveAccounts(move: Move): Promise<Map<number, number>> {
  const { ctx, source, moved } = move
  const known = await moved.list('account')
  const roleNames = await readRoleNames(move)
  const ids = new Map<number, number>()
  for (const row of await readAll(source.database.read('admin_users'))) {
    const sourceId = toWhole(row.id)
    if (sourceId === null) continue
    const there = known.get(String(sourceId))
    const userId = there === undefined ? await moveAccount(move, row, roleNames) : Number(there)
    if (userId === null) continue
    ids.set(sourceId, userId)
    if (there === undefined) await moved.record(ctx.db, 'account', [[sourceId, userId]])
  }
  return ids
}

async function readRoleNames({ source: { database } }: Move): Promise<Map<number | null, string | null>> {
  if (!database.tables.has('roles')) return new Map()
  const rows = await readAll(database.read('roles'))
  return new Map(rows.map((row) => [toWhole(row.id), toLine(row.name)]))
}

async function moveAccount(
  { ctx, add, keepsIds }: Move,
  row: SourceRow,
  roleNames: ReadonlyMap<number | null, string | null>,
): Promise<number | null> {
  const email = toLine(row.email)
  const username = toLine(row.username) ?? email
  if (username === null || email === null) {
    add('admin_users', row.id, 'The account has no name or no mail address.')
    return null
  }
  const hash = toLine(row.password_hash)
  const isReadable = ctx.passwords.isForeign(hash)
  if (!isReadable)
    add('admin_users', row.id, 'Its password cannot be read: set a new one with proofroom reset-password.')
  const columns = {
    role: readRole(roleNames.get(toWhole(row.role_id)) ?? null, roleNames.size > 0),
    password_hash: isReadable && hash !== null ? hash : '',
    // Who has signed in with it keeps the password: otherwise the tokens of the account would stop working.
    must_change_password: toLine(row.last_login) === null ? toFlag(row.must_change_password) : 0,
    is_active: toFlag(row.is_active, true),
  }
  const existing = (await findUserByLogin(ctx.db, username)) ?? (await findUserByLogin(ctx.db, email))
  if (existing && !(keepsIds && isUntouched(existing))) {
    add(
      'admin_users',
      row.id,
      `The account ${existing.username} exists here. Its password and its role stay as they are here.`,
    )
    return existing.id
  }
  const user = await inTransaction(ctx.db, 'everything', async (tx) => {
    await lockAccounts(tx)
    const names = { username, email }
    const account = { ...names, role: columns.role, passwordHash: '', mustChangePassword: false }
    const { id } = existing ?? (await addAccount(ctx, tx, account))
    return changeAccount(tx, id, { ...names, ...columns }, { endsSessions: true })
  })
  if (existing) {
    const reason = `Nobody had signed in as ${existing.username} here: the account has the password of PicPeak now.`
    add('admin_users', row.id, reason)
  }
  ctx.changes.notify('account', user.id)
  return user.id
}

/** The first account of a new instance, at which nobody has signed in. */
const isUntouched = ({ id, last_login_at }: User): boolean => id === 1 && last_login_at === null

/** Before PicPeak had roles, every account could do everything. */
const readRole = (name: string | null, hasRoles: boolean): Role =>
  roles.find((role) => role === name) ?? (hasRoles ? 'viewer' : 'super_admin')

/** Moves API tokens: their hashes are those of Proofroom. Into an instance with other events they arrive revoked. */
export async function moveTokens(move: Move, userIds: ReadonlyMap<number, number>): Promise<void> {
  const { ctx, source, moved, add, keepsIds } = move
  if (!source.database.tables.has('api_tokens')) return
  const known = await moved.list('token')
  const now = ctx.clock.now()
  for (const row of await readAll(source.database.read('api_tokens'))) {
    const sourceId = toWhole(row.id)
    const hash = toLine(row.hashed_token)
    const userId = userIds.get(toWhole(row.created_by) ?? 0)
    if (sourceId === null || known.has(String(sourceId))) continue
    if (hash === null || !/^[0-9a-f]{64}$/.test(hash) || userId === undefined) {
      add('api_tokens', row.id, 'The token has no hash that can be read, or no account.')
      continue
    }
    const revokedAt = toTime(row.revoked_at)
    if (!keepsIds && revokedAt === null) {
      add('api_tokens', row.id, 'The token is revoked, because the ids that its program knows have changed.')
    }
    const id = await addMovedToken(ctx.db, {
      user_id: userId,
      name: toLine(row.name) ?? 'PicPeak',
      token_hash: hash,
      token_preview: `pp_live_${toLine(row.preview) ?? ''}`,
      scope: widestScope(scopes.filter((scope) => (toLine(row.scopes) ?? '').split(/[\s,]+/).includes(scope))),
      expires_at: toTime(row.expires_at),
      last_used_at: toTime(row.last_used_at),
      revoked_at: revokedAt ?? (keepsIds ? null : now),
      created_at: toTime(row.created_at) ?? now,
    })
    if (id !== null) await moved.record(ctx.db, 'token', [[sourceId, id]])
    else add('api_tokens', row.id, 'The same token exists here.')
  }
  ctx.changes.notify('api-token', null)
}
