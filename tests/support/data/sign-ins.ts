import { expect } from 'vitest'
import { signIn } from './accounts.ts'
import { createClient, type TestClient } from '../clients/test-client.ts'
import { adminPassword, type TestService } from '../service/test-service.ts'

export type TestSignIn = { token: string; refreshToken: string; admin: TestClient }

export async function createSignIn(
  service: TestService,
  username = 'admin',
  password = adminPassword,
): Promise<TestSignIn> {
  const { status, body } = await signIn(service, username, password)
  expect(status).toBe(200)
  return { token: body.token, refreshToken: body.refresh_token, admin: createClient(service.url, body.token) }
}

export const refresh = ({ anonymous }: TestService, refreshToken: string) =>
  anonymous.post('/api/auth/refresh', { refresh_token: refreshToken })

export async function renewSignIn(service: TestService, refreshToken: string): Promise<TestSignIn> {
  const { status, body } = await refresh(service, refreshToken)
  expect(status).toBe(200)
  return { token: body.token, refreshToken: body.refresh_token, admin: createClient(service.url, body.token) }
}
