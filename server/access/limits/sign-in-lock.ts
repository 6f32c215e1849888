import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { minutes } from '../../platform/time/clock.ts'
import type { AccessContext } from '../access.ts'

const maxFailures = 5
const windowMs = minutes(15)
const lockMs = minutes(30)

export type SignInFailureTable = {
  /** One of the `accounts` of an `Attempt`, and the address. Unknown names are locked like existing ones. */
  lock_key: string
  failures: number
  window_started_at: number
  locked_until: number | null
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    sign_in_failures: SignInFailureTable
  }
}

export type Attempt = {
  /** Keys of limit-keys.ts. The attempt counts for each of them. */
  accounts: readonly [string, ...string[]]
  address: string
  isCorrect: () => Promise<boolean>
  /**
   * Whether a code must follow. Then the right password does not delete earlier failures, because otherwise codes could
   * be guessed without limit.
   */
  hasSecondFactor?: boolean
  /** The error text; by default that for a wrong password. */
  text?: string
}

/**
 * Attempts at `accounts[0]` from one address run one after another, so that every guess is counted. Throws
 * INVALID_CREDENTIALS or ACCOUNT_LOCKED.
 */
export async function tryPassword(
  ctx: AccessContext,
  { accounts, address, isCorrect, hasSecondFactor = false, text }: Attempt,
): Promise<void> {
  await ctx.access.inTurn(lockKey(accounts[0], address), async () => {
    for (const account of accounts) await countAttempt(ctx, account, address)
    if (!(await isCorrect())) throw new AppError('INVALID_CREDENTIALS', text === undefined ? {} : { text })
    const forgive = hasSecondFactor ? uncountAttempt : clearFailures
    for (const account of accounts) await forgive(ctx, account, address)
  })
}

/**
 * Counts the attempt as a failure before it is checked. Throws ACCOUNT_LOCKED for 30 minutes after 5 failures in 15
 * minutes.
 */
export async function countAttempt({ db, clock }: PlatformContext, account: string, address: string): Promise<void> {
  const now = clock.now()
  const key = lockKey(account, address)
  const lockedUntil = await inTransaction(db, `account ${key}`, async (tx) => {
    const row = await tx.selectFrom('sign_in_failures').selectAll().where('lock_key', '=', key).executeTakeFirst()
    if (row?.locked_until && row.locked_until > now) return row.locked_until
    const isSameWindow = row !== undefined && row.locked_until === null && now - row.window_started_at < windowMs
    const failures = isSameWindow ? row.failures + 1 : 1
    const values = {
      failures,
      window_started_at: isSameWindow ? row.window_started_at : now,
      locked_until: failures >= maxFailures ? now + lockMs : null,
    }
    await tx
      .insertInto('sign_in_failures')
      .values({ lock_key: key, ...values })
      .onConflict((conflict) => conflict.column('lock_key').doUpdateSet(values))
      .execute()
    return null
  })
  if (lockedUntil !== null) throw accountLocked(Math.ceil((lockedUntil - now) / 1000))
}

/**
 * Subtracts one attempt and removes the lock. The calling function must hold the `inTurn` mutex of `accounts[0]` and
 * the address.
 */
async function uncountAttempt({ db }: PlatformContext, account: string, address: string): Promise<void> {
  await db
    .updateTable('sign_in_failures')
    .set((row) => ({ failures: row('failures', '-', 1), locked_until: null }))
    .where('lock_key', '=', lockKey(account, address))
    .execute()
}

export async function clearFailures({ db }: PlatformContext, account: string, address: string): Promise<void> {
  await db.deleteFrom('sign_in_failures').where('lock_key', '=', lockKey(account, address)).execute()
}

export async function pruneFailures({ db, clock }: PlatformContext): Promise<void> {
  await db
    .deleteFrom('sign_in_failures')
    .where('window_started_at', '<', clock.now() - windowMs - lockMs)
    .execute()
}

const lockKey = (account: string, address: string): string => `${account} ${address}`

const accountLocked = (retryAfter: number): AppError =>
  new AppError('ACCOUNT_LOCKED', { retryAfterSeconds: retryAfter, body: { retryAfter } })
