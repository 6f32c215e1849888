import { pino } from 'pino'
import type { Role } from '../../../contract/access.ts'
import { createUser } from '../../../server/access/accounts.ts'
import { createAppContext } from '../../../server/create-app-context.ts'
import { readConfig } from '../../../server/platform/config.ts'
import type { AppContext } from '../../../server/settings/app-context.ts'
import { prepareBackEnds } from '../service/back-ends.ts'
import { sharedEdges } from '../service/shared-edges.ts'
import { createClient, type TestClient } from '../clients/test-client.ts'
import type { TestService } from '../service/test-service.ts'

export type Account = {
  id: number
  username: string
  email: string
  password: string
  admin: TestClient
  api: TestClient
}

/** Opens the back ends of a running service a second time, as a CLI command does. */
export async function withAppContext<T>({ dataDir }: TestService, use: (ctx: AppContext) => Promise<T>): Promise<T> {
  const { ctx, close } = await createAppContext(
    readConfig({ DATA_DIR: dataDir, ...(await prepareBackEnds(dataDir)) }),
    pino({ level: 'silent' }),
    sharedEdges,
  )
  return use(ctx).finally(close)
}

let accounts = 0

/** An account that must change its password first gets no API token. */
export async function createAccount(
  service: TestService,
  role: Role,
  { mustChangePassword = false }: { mustChangePassword?: boolean } = {},
): Promise<Account> {
  const username = `${role}-${++accounts}`
  const email = `${username}@studio.example`
  const password = `password of ${username}`
  const person = { username, email, role, password }
  const id = mustChangePassword
    ? await withAppContext(service, async (ctx) => (await createUser(ctx, { ...person, mustChangePassword })).id)
    : await addUser(service, person)
  const admin = createClient(service.url, (await signIn(service, username, password)).body.token)
  const token = mustChangePassword ? undefined : await createApiToken(admin, ['admin'])
  return { id, username, email, password, admin, api: createClient(service.url, token) }
}

async function addUser({ admin }: TestService, person: object): Promise<number> {
  const { status, body } = await admin.post('/api/admin/users', person)
  if (status !== 201) throw new Error(`The account was not created: ${JSON.stringify(body)}`)
  return body.id
}

export const signIn = ({ anonymous }: TestService, username: string, password: string) =>
  anonymous.post('/api/auth/admin/login', { username, password })

export async function createApiToken(admin: TestClient, scopes: string[]): Promise<string> {
  const { status, body } = await admin.post('/api/admin/api-tokens', { name: scopes.join(), scopes })
  if (status !== 201) throw new Error(`The API token was not created: ${JSON.stringify(body)}`)
  return body.token
}
