import type { Generated, Selectable } from 'kysely'
import type { Role } from '../../contract/access.ts'
import { byKey } from '../platform/database/short-read.ts'
import type { Database, Flag, Tx } from '../platform/database/tables.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { normalizeText } from '../platform/text/normalize-text.ts'

export type UserTable = {
  id: Generated<number>
  username: string
  username_key: string
  email: string
  email_key: string
  /** Empty after an invitation or a reset, until the user chooses a password. The empty hash matches no password. */
  password_hash: string
  role: Role
  must_change_password: Flag
  is_active: Flag
  /** Stored in every session token. A new number ends all older sessions. */
  session_version: number
  created_at: number
  last_login_at: number | null
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    users: UserTable
  }
}

export type User = Selectable<UserTable>

export const userRecord = (user: User) => ({
  id: user.id,
  username: user.username,
  email: user.email,
  mustChangePassword: user.must_change_password === 1,
})

export const nameKey = (name: string): string => normalizeText(name, 'NFKC').toLowerCase()

export const findUser = (db: Database, id: number): Promise<User | undefined> =>
  db.selectFrom('users').selectAll().where('id', '=', id).modifyEnd(byKey).executeTakeFirst()

type Account = Pick<User, 'is_active' | 'session_version'>

/** Checks the account or customer of a session. Throws INVALID_TOKEN, OWNER_INACTIVE or TOKEN_REVOKED. */
export function validateAccount<T extends Account>(account: T | undefined, version: number): T {
  if (!account) throw new AppError('INVALID_TOKEN')
  // A deactivation also changes the session version, so this check must come first.
  if (account.is_active === 0) throw new AppError('OWNER_INACTIVE')
  if (account.session_version !== version) throw new AppError('TOKEN_REVOKED')
  return account
}

export const hasAnyUser = async (tx: Tx): Promise<boolean> =>
  (await tx.selectFrom('users').select('id').limit(1).execute()).length > 0

/** Looks for a user name first, then for a mail address. */
export async function findUserByLogin(db: Database, login: string): Promise<User | undefined> {
  const key = nameKey(login)
  const byName = await db.selectFrom('users').selectAll().where('username_key', '=', key).executeTakeFirst()
  return byName ?? db.selectFrom('users').selectAll().where('email_key', '=', key).executeTakeFirst()
}

/** Returns the first active super admin, who owns everything that no account has created. Throws if there is none. */
export const getFirstSuperAdmin = (db: Database): Promise<User> =>
  db
    .selectFrom('users')
    .selectAll()
    .where('role', '=', 'super_admin')
    .where('is_active', '=', 1)
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
