import { findUser, type User } from '../access/account-rows.ts'
import type { AccountCaller } from '../access/callers.ts'
import type { Database, Tx } from '../platform/database/tables.ts'
import { AppError } from '../platform/errors/app-error.ts'

/** Throws OWN_ACCOUNT, so that operators cannot lock themselves out. */
export function assertNotOwnAccount({ user }: AccountCaller, userId: number): void {
  if (user.id === userId) throw new AppError('OWN_ACCOUNT')
}

/** Throws NOT_FOUND. */
export async function getUser(db: Database, userId: number): Promise<User> {
  const user = await findUser(db, userId)
  if (!user) throw new AppError('NOT_FOUND')
  return user
}

/** Throws LAST_SUPER_ADMIN if `user` is the only super_admin who can sign in. Must be called after `lockAccounts`. */
export async function assertNotLastSuperAdmin(tx: Tx, user: User): Promise<void> {
  if (!isActiveSuperAdmin(user)) return
  const superAdmins = await tx.selectFrom('users').selectAll().where('role', '=', 'super_admin').execute()
  const hasOtherSuperAdmin = superAdmins.some((other) => other.id !== user.id && isActiveSuperAdmin(other))
  if (!hasOtherSuperAdmin) throw new AppError('LAST_SUPER_ADMIN')
}

/** An invited account without a password cannot sign in yet. */
const isActiveSuperAdmin = ({ role, is_active, password_hash }: User): boolean =>
  role === 'super_admin' && is_active === 1 && password_hash !== ''
