import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { minutes } from '../../platform/time/clock.ts'
import type { AccessContext } from '../access.ts'
import type { User } from '../account-rows.ts'
import { assertOwnCode, assertPassword } from '../assert-credentials.ts'
import { createSecret, otpauthUrl } from './one-time-codes.ts'
import { createRecoveryCodes, storeRecoveryCodes } from './recovery-codes.ts'
import { encryptSecret, findConfirmedFactor, findSecondFactor } from './second-factor-rows.ts'

const alreadyEnabled = () =>
  new AppError('INVALID_STATE', { text: 'The second factor is already on. Turn it off first.' })

/**
 * The secret has no effect until a code confirms it. Requires the password, because somebody else may use the browser
 * of a signed-in user. Throws INVALID_CREDENTIALS, ACCOUNT_LOCKED or INVALID_STATE.
 */
export async function setUpSecondFactor(ctx: AccessContext, user: User, password: string) {
  await assertPassword(ctx, user, password)
  const secret = createSecret()
  const pending = {
    sealed_secret: encryptSecret(ctx, user.id, secret),
    created_at: ctx.clock.now(),
    confirmed_at: null,
    last_step: null,
  }
  const made = await ctx.db
    .insertInto('second_factors')
    .values({ user_id: user.id, ...pending })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet(pending).where('second_factors.confirmed_at', 'is', null),
    )
    .returning('user_id')
    .execute()
  if (made.length === 0) throw alreadyEnabled()
  const { publicUrl } = ctx.config
  const label = publicUrl ? `${user.username}@${new URL(publicUrl).host}` : user.username
  return { secret, otpauthUrl: otpauthUrl(secret, label) }
}

/** How long a code can confirm the new secret. */
const setUpMs = minutes(15)

/**
 * Returns the recovery codes, which cannot be read later. Throws INVALID_STATE, INVALID_CREDENTIALS, ACCOUNT_LOCKED or
 * RATE_LIMITED.
 */
export async function confirmSecondFactor(ctx: AccessContext, user: User, code: string): Promise<string[]> {
  const now = ctx.clock.now()
  const factor = await findSecondFactor(ctx.db, user.id)
  if (factor && factor.confirmed_at !== null) throw alreadyEnabled()
  if (!factor || factor.created_at <= now - setUpMs) {
    throw new AppError('INVALID_STATE', { text: 'Set up the second factor first.' })
  }
  await assertOwnCode(ctx, user, factor, code)

  const codes = createRecoveryCodes()
  await inTransaction(ctx.db, `account ${user.id}`, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('second_factors')
      .set({ confirmed_at: now })
      .where('user_id', '=', user.id)
      .where('created_at', '=', factor.created_at)
      .where('confirmed_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw alreadyEnabled()
    await storeRecoveryCodes(tx, user.id, codes)
  })
  return codes
}

/** Replaces all earlier recovery codes. Throws INVALID_STATE. */
export async function renewRecoveryCodes({ db }: PlatformContext, user: User): Promise<string[]> {
  const codes = createRecoveryCodes()
  await inTransaction(db, `account ${user.id}`, async (tx) => {
    const factor = await findConfirmedFactor(tx, user.id)
    if (!factor) throw new AppError('INVALID_STATE', { text: 'This account has no second factor.' })
    await storeRecoveryCodes(tx, user.id, codes)
  })
  return codes
}
