import type { Selectable } from 'kysely'
import type { Backends } from '../platform/backends.ts'
import type { Database } from '../platform/database/tables.ts'

export type SecondFactorTable = {
  user_id: number
  /** What the authenticator counts from, encrypted. */
  sealed_secret: string
  /** Names this factor of the account among those before and after it. */
  created_at: number
  /** Null while it is being set up: it is not asked for yet. */
  confirmed_at: number | null
  /** Of the last code taken: neither it nor an older one is taken again. */
  last_step: number | null
}

/** What an account signs in with that has lost its authenticator; each once. */
export type RecoveryCodeTable = { user_id: number; code_hash: string; used_at: number | null }

declare module '../platform/database/tables.ts' {
  interface Tables {
    second_factors: SecondFactorTable
    recovery_codes: RecoveryCodeTable
  }
}

export type SecondFactor = Selectable<SecondFactorTable>

export const findSecondFactor = (db: Database, userId: number): Promise<SecondFactor | undefined> =>
  db.selectFrom('second_factors').selectAll().where('user_id', '=', userId).executeTakeFirst()

/** The one that a sign-in asks for. */
export async function findConfirmedFactor(db: Database, userId: number): Promise<SecondFactor | undefined> {
  const factor = await findSecondFactor(db, userId)
  return factor && factor.confirmed_at !== null ? factor : undefined
}

const purpose = (userId: number): string => `second factor ${userId}`

export const sealSecret = ({ encryption }: Backends, userId: number, secret: string): string =>
  encryption.seal(secret, purpose(userId))

export const openSecret = ({ encryption }: Backends, { user_id, sealed_secret }: SecondFactor): string =>
  encryption.open(sealed_secret, purpose(user_id))
