import { randomBytes } from 'node:crypto'
import type { Role } from '../../contract/access.ts'
import type { Backends } from '../platform/backends.ts'
import { flag } from '../platform/database/tables.ts'
import { findUserByLogin, hasAnyUser, nameKey, type User } from './account-rows.ts'
import { hashPassword } from './passwords.ts'

type NewUser = { username: string; email: string; role: Role; password: string; mustChangePassword: boolean }

export async function createUser({ db, clock }: Backends, user: NewUser): Promise<User> {
  const passwordHash = await hashPassword(user.password)
  return db
    .insertInto('users')
    .values({
      username: user.username,
      username_key: nameKey(user.username),
      email: user.email,
      email_key: nameKey(user.email),
      password_hash: passwordHash,
      role: user.role,
      must_change_password: flag(user.mustChangePassword),
      is_active: 1,
      session_version: 1,
      created_at: clock.now(),
      last_login_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * The first account, at the first start. Answers the password when it was generated here, to be shown once;
 * null when it was given or an account exists.
 */
export async function createFirstAdmin(backends: Backends): Promise<string | null> {
  const { db, config } = backends
  if (await hasAnyUser(db)) return null
  const password = config.adminPassword ?? generatedPassword()
  const isGenerated = config.adminPassword === null
  const { adminUsername: username, adminEmail: email } = config
  await createUser(backends, { username, email, role: 'super_admin', password, mustChangePassword: isGenerated })
  return isGenerated ? password : null
}

/** Gives an account a new password, to be changed at the next sign-in; ends its sessions. Null: no such account. */
export async function resetPassword(backends: Backends, login: string): Promise<string | null> {
  const user = await findUserByLogin(backends.db, login)
  if (!user) return null
  const password = generatedPassword()
  await setPassword(backends, user, password, { mustChangePassword: true })
  return password
}

/** Stores a new password and ends all older sessions of the account. */
export async function setPassword(
  { db, changes }: Backends,
  user: User,
  password: string,
  { mustChangePassword }: { mustChangePassword: boolean },
): Promise<void> {
  const passwordHash = await hashPassword(password)
  await db
    .updateTable('users')
    .set((row) => ({
      password_hash: passwordHash,
      must_change_password: flag(mustChangePassword),
      session_version: row('session_version', '+', 1),
    }))
    .where('id', '=', user.id)
    .execute()
  changes.tell('account', user.id)
}

const generatedPassword = (): string => randomBytes(15).toString('base64url')
