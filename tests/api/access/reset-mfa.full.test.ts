import { expect, test } from 'vitest'
import { signIn } from '../../support/fixtures/accounts.ts'
import { createAccountWithFactor } from '../../support/fixtures/second-factor.ts'
import { runProofroom } from '../../support/service/proofroom-command.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()

test('proofroom reset-mfa removes a lost factor while the service runs', async () => {
  const { username, email, password } = await createAccountWithFactor(service, Date.now())
  const reset = (user: string) => runProofroom(service, ['reset-mfa', user])
  expect((await reset(email)).stdout).toContain('was removed')
  expect((await signIn(service, username, password)).body).toHaveProperty('token')
  expect((await reset(username)).stdout).toContain('The account has no second factor')
  await expect(reset('nobody')).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('No account') })
})
