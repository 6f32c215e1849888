import { Secret, TOTP } from 'otpauth'
import { expect } from 'vitest'
import { type Account, createAccount, signIn } from './accounts.ts'
import type { TestResponse } from '../clients/test-client.ts'
import type { TestService } from '../service/test-service.ts'

/** Returns the code of an authenticator at this time in epoch milliseconds. */
export const generateCode = (secret: string, now: number): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: now })

export function generateWrongCode(secret: string, now: number): string {
  const right = [-60_000, -30_000, 0, 30_000, 60_000].map((ms) => generateCode(secret, now + ms))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.includes(code)) as string
}

export type AccountWithFactor = Account & { secret: string; recoveryCodes: string[] }

export async function createAccountWithFactor(service: TestService, now: number): Promise<AccountWithFactor> {
  const account = await createAccount(service, 'admin')
  const setUp = await account.admin.post('/api/admin/auth/mfa/setup', { password: account.password })
  expect(setUp.status).toBe(200)
  const { secret } = setUp.body
  const confirmed = await account.admin.post('/api/admin/auth/mfa/confirm', { code: generateCode(secret, now) })
  expect(confirmed.status).toBe(200)
  return { ...account, secret, recoveryCodes: confirmed.body.recoveryCodes }
}

/** Sends the password and asserts that the service requires a second factor. Returns the mfaToken. */
export async function passFirstStep(service: TestService, { username, password }: Account): Promise<string> {
  const { status, body } = await signIn(service, username, password)
  expect([status, body.mfaRequired]).toEqual([200, true])
  return body.mfaToken
}

export const sendSecondStep = (
  { anonymous }: TestService,
  mfaToken: string,
  code: string,
  headers: Record<string, string> = {},
): Promise<TestResponse> => anonymous.post('/api/auth/admin/login/mfa', { mfaToken, code }, headers)
