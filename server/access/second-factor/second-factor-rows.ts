import type { Selectable } from 'kysely'
import { byKey } from '../../platform/database/short-read.ts'
import type { Database } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { type EncryptedColumn, encryptedColumn } from '../../platform/security/encrypted-columns.ts'
import { UnknownKeyError } from '../../platform/security/encryption.ts'

export type SecondFactorTable = {
  user_id: number
  /** Encrypted. */
  sealed_secret: string
  /** Also identifies this factor among earlier and later ones of the account. */
  created_at: number
  /** null until the user has confirmed the factor with a code. */
  confirmed_at: number | null
  /** The time step (30 seconds) of the last accepted code. Codes of this and earlier steps are rejected. */
  last_step: number | null
}

/** Codes to use instead of those of the authenticator; each works once. */
export type RecoveryCodeTable = { user_id: number; code_hash: string; used_at: number | null }

declare module '../../platform/database/tables.ts' {
  interface Tables {
    second_factors: SecondFactorTable
    recovery_codes: RecoveryCodeTable
  }
}

export type SecondFactor = Selectable<SecondFactorTable>

export const findSecondFactor = (db: Database, userId: number): Promise<SecondFactor | undefined> =>
  db.selectFrom('second_factors').selectAll().where('user_id', '=', userId).modifyEnd(byKey).executeTakeFirst()

export async function findConfirmedFactor(db: Database, userId: number): Promise<SecondFactor | undefined> {
  const factor = await findSecondFactor(db, userId)
  return factor && factor.confirmed_at !== null ? factor : undefined
}

/** The purpose binds the encrypted secret to one account. */
const secretPurposeOf = (userId: number): string => `second factor ${userId}`

export const encryptSecret = ({ encryption }: PlatformContext, userId: number, secret: string): string =>
  encryption.encrypt(secret, secretPurposeOf(userId))

/** Throws INVALID_CREDENTIALS if the key that encrypted the secret is not configured; recovery codes still work. */
export function decryptSecret({ encryption }: PlatformContext, { user_id, sealed_secret }: SecondFactor): string {
  try {
    return encryption.decrypt(sealed_secret, secretPurposeOf(user_id))
  } catch (error) {
    if (!(error instanceof UnknownKeyError)) throw error
    throw new AppError('INVALID_CREDENTIALS', {
      text: 'Codes can no longer be checked because the key of this instance has changed. Use a recovery code, or ask for the second factor to be removed.',
    })
  }
}

/** Returns whether the account had a second factor, confirmed or not. Sessions stay valid. */
export function removeSecondFactor({ db }: PlatformContext, userId: number): Promise<boolean> {
  return inTransaction(db, `account ${userId}`, async (tx) => {
    await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
    const { numDeletedRows } = await tx
      .deleteFrom('second_factors')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  })
}

export const encryptedSecondFactors = ({ db }: PlatformContext): EncryptedColumn =>
  encryptedColumn(
    db,
    { name: 'second factors', getPurpose: secretPurposeOf },
    { table: 'second_factors', idColumn: 'user_id', column: 'sealed_secret' },
  )
