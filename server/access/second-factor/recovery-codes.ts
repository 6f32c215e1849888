import { createHash, timingSafeEqual } from 'node:crypto'
import { Secret } from 'otpauth'
import type { Database, Tx } from '../../platform/database/tables.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'

const count = 10

/** 80 random bits each, such as `abcd-efgh-ijkl-mnop`. */
export const createRecoveryCodes = (): string[] =>
  Array.from({ length: count }, () => new Secret({ size: 10 }).base32.toLowerCase().replace(/(.{4})(?=.)/g, '$1-'))

/** Replaces all earlier codes. Random codes need no slow hash. */
export async function storeRecoveryCodes(tx: Tx, userId: number, codes: string[]): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  const rows = codes.map((code) => ({ user_id: userId, code_hash: hashRecoveryCode(code), used_at: null }))
  await tx.insertInto('recovery_codes').values(rows).execute()
}

/** Marks the code as used. Returns false if it is wrong or already used; of two concurrent calls only one succeeds. */
export async function consumeRecoveryCode({ db, clock }: PlatformContext, userId: number, code: string) {
  const given = Buffer.from(hashRecoveryCode(code))
  const unused = await listUnusedHashes(db, userId)
  const [found] = unused.filter((hash) => timingSafeEqual(Buffer.from(hash), given))
  if (found === undefined) return false
  const { numUpdatedRows } = await db
    .updateTable('recovery_codes')
    .set({ used_at: clock.now() })
    .where('user_id', '=', userId)
    .where('code_hash', '=', found)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function listUnusedHashes(db: Database, userId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('recovery_codes')
    .select('code_hash')
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute()
  return rows.map(({ code_hash }) => code_hash)
}

/** Ignores case, spaces and dashes. */
const hashRecoveryCode = (code: string): string =>
  createHash('sha256').update(code.toLowerCase().replace(/[\s-]/g, '')).digest('hex')
