import { randomBytes } from 'node:crypto'
import { flag } from '../platform/database/tables.ts'
import { inSnapshot, inTransaction } from '../platform/database/transaction.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { findUserByLogin, hasAnyUser, type User } from './account-rows.ts'
import { addAccount, type NewAccount } from './change-account.ts'

type NewUser = Omit<NewAccount, 'passwordHash'> & { password: string }

/** Throws USER_EXISTS. */
export async function createUser(ctx: PlatformContext, { password, ...user }: NewUser): Promise<User> {
  const passwordHash = await ctx.passwords.hash(password)
  return inTransaction(ctx.db, 'everything', (tx) => addAccount(ctx, tx, { ...user, passwordHash }))
}

/**
 * Does nothing if an account exists. If several nodes call this at once, only one of them creates the account. Returns
 * the password if this call has generated and stored one, otherwise null.
 */
export async function createFirstAdmin(ctx: PlatformContext): Promise<string | null> {
  const { db, config, passwords } = ctx
  // On SQLite, a read outside of a transaction would start the reader thread, which uses memory.
  if (await inSnapshot(db, hasAnyUser)) return null
  const password = config.adminPassword ?? generatePassword()
  const isGenerated = config.adminPassword === null
  const passwordHash = await passwords.hash(password)
  const names = { username: config.adminUsername, email: config.adminEmail }
  const isMade = await inTransaction(db, 'everything', async (tx) => {
    if (await hasAnyUser(tx)) return false
    await addAccount(ctx, tx, { ...names, role: 'super_admin', passwordHash, mustChangePassword: isGenerated })
    return true
  })
  return isMade && isGenerated ? password : null
}

/**
 * Sets and returns a generated password, which must be changed at the next sign-in. Returns null for an unknown login.
 */
export async function resetPassword(ctx: PlatformContext, login: string): Promise<string | null> {
  const user = await findUserByLogin(ctx.db, login)
  if (!user) return null
  const password = generatePassword()
  await setPassword(ctx, user, password, { mustChangePassword: true })
  return password
}

/**
 * Ends all sessions of the account. Throws TOKEN_REVOKED if its session version has changed since `user` was loaded.
 */
export async function setPassword(
  { db, changes, passwords }: PlatformContext,
  user: User,
  password: string,
  { mustChangePassword }: { mustChangePassword: boolean },
): Promise<void> {
  const passwordHash = await passwords.hash(password)
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set((row) => ({
      password_hash: passwordHash,
      must_change_password: flag(mustChangePassword),
      session_version: row('session_version', '+', 1),
    }))
    .where('id', '=', user.id)
    .where('session_version', '=', user.session_version)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new AppError('TOKEN_REVOKED')
  changes.notify('account', user.id)
}

export const generatePassword = (): string => randomBytes(15).toString('base64url')
