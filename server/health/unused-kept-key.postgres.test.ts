import { expect, test } from 'vitest'
import { contextForTest } from '../../tests/support/service/test-context.ts'
import { reencryptAll } from '../commands/reencrypt-all.ts'
import { countNodes } from '../platform/database/running-nodes.ts'
import { mailServerPasswords } from '../platform/mail/mail-server-rows.ts'
import { createEncryption } from '../platform/security/encryption.ts'
import { readKeptKey } from '../platform/security/secrets.ts'
import type { AppContext } from '../settings/app-context.ts'
import { getHealthFormatter } from './health-formatter.ts'
import { checkSecrets } from './instance-checks.ts'
import { deleteUnusedKeptKey } from './unused-kept-key.ts'

const [keptKey, newKey] = ['k'.repeat(40), 'n'.repeat(40)]

/** Returns the context of a start with `newKey`, on a database with a generated key and, if wanted, a value that uses it. */
async function startWithNewKey(oldKey: string | null, hasValue: boolean): Promise<AppContext> {
  const ctx = await contextForTest({
    environment: { ENCRYPTION_KEY: newKey, ...(oldKey === null ? {} : { ENCRYPTION_KEY_OLD: oldKey }) },
  })
  await ctx.db.deleteFrom('kept_secrets').where('name', '=', 'encryption-key').execute()
  await ctx.db.insertInto('kept_secrets').values({ name: 'encryption-key', value: keptKey }).execute()
  const password = createEncryption(keptKey).encrypt('harbor-lights-91', mailServerPasswords(ctx).getPurpose(1))
  const row = { id: 1, sealed_password: password, updated_at: 0 } as const
  if (hasValue) await ctx.db.insertInto('mail_server').values(row).execute()
  return ctx
}

test('rotate-key deletes the generated key, and the health item names the other secret alone', async () => {
  const ctx = await startWithNewKey(keptKey, true)
  expect([await deleteUnusedKeptKey(ctx), await readKeptKey(ctx.db)]).toEqual([false, keptKey])
  await reencryptAll(ctx)
  expect(await readKeptKey(ctx.db)).toBeNull()
  const { status, text, fix } = await checkSecrets(ctx, getHealthFormatter('en'))
  expect([status, text, fix]).toEqual([
    'warn',
    expect.stringContaining('can sign in as any account'),
    'Set `JWT_SECRET` to the value in the table `kept_secrets`, the same on all nodes, then delete it from that table.',
  ])
})

test('a start with another key deletes the generated one only if no value uses it', async () => {
  const used = await startWithNewKey(null, true)
  expect([await deleteUnusedKeptKey(used), await readKeptKey(used.db)]).toEqual([false, keptKey])
  await used.db.deleteFrom('mail_server').execute()
  expect([await deleteUnusedKeptKey(used), await readKeptKey(used.db)]).toEqual([true, null])
})

test('the generated key stays while another node runs that may have no other', { tags: 'nightly' }, async () => {
  const ctx = await startWithNewKey(null, false)
  await contextForTest({ environment: { DATABASE_URL: ctx.config.databaseUrl ?? '' } })
  await expect.poll(() => countNodes(ctx.db)).toBe(2)
  expect(await deleteUnusedKeptKey(ctx)).toBe(false)
})
