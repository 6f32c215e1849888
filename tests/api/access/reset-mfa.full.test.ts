import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { signIn } from '../../support/fixtures/accounts.ts'
import { createAccountWithFactor } from '../../support/fixtures/second-factor.ts'
import { prepareBackEnds } from '../../support/service/back-ends.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()

test('proofroom reset-mfa removes a lost factor while the service runs', async () => {
  const account = await createAccountWithFactor(service, Date.now())
  const runResetMfa = async (user: string) =>
    promisify(execFile)(process.execPath, ['bin/proofroom.js', 'reset-mfa', user], {
      cwd: join(import.meta.dirname, '../../..'),
      env: { PATH: process.env.PATH, DATA_DIR: service.dataDir, ...(await prepareBackEnds(service.dataDir)) },
    })
  expect((await runResetMfa(account.email)).stdout).toContain('was removed')
  expect((await signIn(service, account.username, account.password)).body).toHaveProperty('token')
  expect((await runResetMfa(account.username)).stdout).toContain('The account has no second factor')
  await expect(runResetMfa('nobody')).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('No account') })
})
