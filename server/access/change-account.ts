import type { Updateable } from 'kysely'
import type { Role } from '../../contract/access.ts'
import { flag, type Tx } from '../platform/database/tables.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { findUser, nameKey, type User, type UserTable } from './account-rows.ts'

type Names = { username: string; email: string }

/** `passwordHash` is empty until an invited user has chosen a password. */
export type NewAccount = Names & { role: Role; passwordHash: string; mustChangePassword: boolean }

/**
 * Transactions that call this run one after another: on PostgreSQL the update locks rows, although it changes no value.
 */
export async function lockAccounts(tx: Tx): Promise<void> {
  await tx
    .updateTable('users')
    .set((row) => ({ role: row.ref('role') }))
    .where('role', '=', 'super_admin')
    .execute()
}

/** Throws USER_EXISTS. */
export async function addAccount({ clock }: PlatformContext, tx: Tx, account: NewAccount): Promise<User> {
  const { role, passwordHash, mustChangePassword, ...names } = account
  await assertNamesFree(tx, null, names)
  return tx
    .insertInto('users')
    .values({
      ...nameColumns(names),
      role,
      password_hash: passwordHash,
      must_change_password: flag(mustChangePassword),
      is_active: 1,
      session_version: 1,
      created_at: clock.now(),
      last_login_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

type Change = Partial<Names> &
  Pick<Updateable<UserTable>, 'role' | 'is_active' | 'password_hash' | 'must_change_password'>

/** Throws NOT_FOUND or USER_EXISTS. */
export async function changeAccount(
  tx: Tx,
  id: number,
  { username, email, ...columns }: Change,
  { endsSessions = false }: { endsSessions?: boolean } = {},
): Promise<User> {
  const before = await findUser(tx, id)
  if (!before) throw new AppError('NOT_FOUND')
  const names = { username: username ?? before.username, email: email ?? before.email }
  if (username !== undefined || email !== undefined) await assertNamesFree(tx, id, names)
  return tx
    .updateTable('users')
    .set((row) => ({
      ...columns,
      ...nameColumns(names),
      ...(endsSessions && { session_version: row('session_version', '+', 1) }),
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

const nameColumns = ({ username, email }: Names) => ({
  username,
  username_key: nameKey(username),
  email,
  email_key: nameKey(email),
})

/**
 * Throws USER_EXISTS if the user name or the mail address is already a user name or mail address of another account,
 * ignoring case.
 */
async function assertNamesFree(tx: Tx, ownId: number | null, { username, email }: Names): Promise<void> {
  const keys = [nameKey(username), nameKey(email)]
  const namesakes = await tx
    .selectFrom('users')
    .select('id')
    .where((where) => where.or([where('username_key', 'in', keys), where('email_key', 'in', keys)]))
    .execute()
  if (namesakes.some(({ id }) => id !== ownId)) throw new AppError('USER_EXISTS')
}
