import { type Role, roles, type Scope, scopes } from '../../contract/access.ts'
import { findUserByLogin, type User } from '../access/account-rows.ts'
import { widestScope } from '../access/roles.ts'
import type { Flag } from '../platform/database/tables.ts'
import { t } from '../platform/text/command-messages.ts'
import type { Move } from './move-context.ts'
import { readAll } from './picpeak-source.ts'
import { type SourceRow, toFlag, toLine, toTime, toWhole } from './source/source-values.ts'

export type SourceAccount = {
  id: number
  username: string
  email: string
  /** The role that the account gets here. */
  role: Role
  /** Null if it cannot be verified here. */
  passwordHash: string | null
  mustChangePassword: Flag
  isActive: Flag
}

/** Reports rows without a name or a mail address. */
export async function readAccounts({ ctx, source, add, accounts }: Move): Promise<SourceAccount[]> {
  if (accounts === 'none') return []
  const roleNames = await readRoleNames(source)
  const rows = await readAll(source.database.read('admin_users'))
  return rows.flatMap((row) => {
    const id = toWhole(row.id)
    const email = toLine(row.email)
    const username = toLine(row.username) ?? email
    if (id === null) return []
    if (username === null || email === null) {
      add('admin_users', row.id, t('accountIncomplete'))
      return []
    }
    const hash = toLine(row.password_hash)
    return {
      id,
      username,
      email,
      role:
        accounts === 'editors' ? 'editor' : readRole(roleNames.get(toWhole(row.role_id)) ?? null, roleNames.size > 0),
      passwordHash: ctx.passwords.isForeign(hash) ? hash : null,
      // An account that has signed in keeps its password, because otherwise its tokens would stop working.
      mustChangePassword: toLine(row.last_login) === null ? toFlag(row.must_change_password) : 0,
      isActive: toFlag(row.is_active, true),
    }
  })
}

async function readRoleNames({ database }: Move['source']): Promise<Map<number | null, string | null>> {
  if (!database.tables.has('roles')) return new Map()
  const rows = await readAll(database.read('roles'))
  return new Map(rows.map((row) => [toWhole(row.id), toLine(row.name)]))
}

/** Before PicPeak had roles, every account could do everything. */
const readRole = (name: string | null, hasRoles: boolean): Role =>
  roles.find((role) => role === name) ?? (hasRoles ? 'viewer' : 'super_admin')

/** Returns the account here that has the name or the mail address of the account of the source. */
export const findNamesake = async (
  { ctx: { db } }: Move,
  { username, email }: SourceAccount,
): Promise<User | undefined> => (await findUserByLogin(db, username)) ?? (await findUserByLogin(db, email))

/**
 * Whether the account of the source replaces the one with the same name here: the first account of a new instance, if
 * it has never signed in.
 */
export const replaces = ({ keepsIds, accounts }: Move, { id, last_login_at }: User): boolean =>
  accounts === 'keep' && keepsIds && id === 1 && last_login_at === null

export type SourceToken = {
  row: SourceRow
  name: string
  /** SHA-256 in hexadecimal, or null if there is none. */
  hash: string | null
  accountId: number
  scope: Scope
  expiresAt: number | null
  revokedAt: number | null
}

export async function readTokens({ source: { database }, accounts }: Move): Promise<SourceToken[]> {
  if (accounts === 'none' || !database.tables.has('api_tokens')) return []
  const rows = await readAll(database.read('api_tokens'))
  return rows.map((row) => {
    const hash = toLine(row.hashed_token)
    const named = (toLine(row.scopes) ?? '').split(/[\s,]+/)
    const scope = widestScope(scopes.filter((one) => named.includes(one)))
    return {
      row,
      name: toLine(row.name) ?? 'PicPeak',
      hash: hash !== null && /^[0-9a-f]{64}$/.test(hash) ? hash : null,
      accountId: toWhole(row.created_by) ?? 0,
      scope: accounts === 'editors' && scope === 'admin' ? 'write' : scope,
      expiresAt: toTime(row.expires_at),
      revokedAt: toTime(row.revoked_at),
    }
  })
}
