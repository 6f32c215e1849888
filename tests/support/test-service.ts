import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished } from 'vitest'
import type { Edges } from '../../server/create-app-context.ts'
import { startService } from '../../server/main.ts'
import { hours } from '../../server/platform/clock.ts'
import { readConfig } from '../../server/platform/config.ts'
import { backEndsOf, dropDatabaseOf } from './back-ends.ts'
import { learnDescriptions } from './described-answers.ts'
import { beginWithTables } from './first-database.ts'
import { sharedEdges } from './shared-edges.ts'
import { inDatabase } from './stored.ts'
import { createClient, type TestClient } from './test-client.ts'
import { timed } from './times/counters.ts'

export const adminPassword = 'correct-horse-battery'

export type TestService = {
  url: string
  dataDir: string
  /** Signed in as the first admin. */
  admin: TestClient
  /** With an API token of that admin, of scope admin. */
  api: TestClient
  /** Without any credential. */
  anonymous: TestClient
  stop: () => Promise<void>
}

type Options = { environment?: Record<string, string>; edges?: Edges }

/** Tests ask no name server. */
const knowNoName = async () => Promise.reject(new Error('No such name'))

/** The real service on a free port of the loopback, on fresh data: of SQLite and a folder, or as this run has it. */
export const startTestService = (options: Options = {}): Promise<TestService> =>
  timed('service start', () => start(options))

async function start({ environment = {}, edges = {} }: Options): Promise<TestService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'proofroom-test-'))
  await beginWithTables(dataDir, environment, { password: adminPassword })
  const config = readConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: adminPassword,
    LOG_LEVEL: 'silent',
    SHUTDOWN_GRACE_S: '1',
    // Tests come from one address; those of the limits switch them on.
    RATE_LIMIT: 'off',
    ...(await backEndsOf(environment.DATA_DIR ?? dataDir)),
    ...environment,
  })
  // Pictures that nobody asks for are made in the tests of just that.
  const service = await startService(config, { ...sharedEdges, warmAfterMs: hours(1), resolve: knowNoName, ...edges })
  const url = `http://127.0.0.1:${new URL(service.address).port}`
  const anonymous = createClient(url)
  const { body } = await anonymous.post('/api/auth/admin/login', { username: 'admin', password: adminPassword })
  const admin = createClient(url, body.token)
  let stopped: Promise<void> | null = null
  await learnDescriptions((document) => admin.get(document))
  const created = await admin.post('/api/admin/api-tokens', { name: 'test', scopes: ['admin'] })
  return {
    url,
    dataDir,
    admin,
    api: createClient(url, created.body.token),
    anonymous,
    stop: () => {
      stopped ??= service.stop().then(() => removeData(dataDir))
      return stopped
    },
  }
}

async function removeData(dataDir: string): Promise<void> {
  await dropDatabaseOf(dataDir)
  await rm(dataDir, { recursive: true, force: true })
}

let shared: Promise<TestService> | null = null

/**
 * The one service of this process, for files whose tests make events, customers and accounts of their own and change
 * nothing that belongs to the whole instance. It ends with the process.
 */
export async function sharedService(): Promise<TestService> {
  shared ??= startTestService()
  const service = await shared
  const before = await instanceState(service)
  afterAll(async () => expect(await instanceState(service), 'what all tests of this process share').toEqual(before))
  return service
}

/** What belongs to no event, customer or further account. */
const instanceState = async (service: TestService): Promise<unknown> => ({
  settings: (await service.admin.get('/api/admin/settings')).body,
  ...inDatabase(service, (stored) => ({
    // The address under which a super_admin has signed in last: links are made of it.
    origin: stored.prepare("select value from settings where key = 'instance_origin'").all(),
    eventTypes: stored.prepare('select * from event_types order by slug_prefix').all(),
    categories: stored.prepare('select * from categories where event_id is null order by id').all(),
    webhooks: stored.prepare('select id from webhooks').all(),
    firstAdmin: stored
      .prepare('select username, email, password_hash, role, is_active, session_version from users order by id limit 1')
      .all(),
  })),
})

/** For all tests of one file; stopped after the last. */
export async function serviceForFile(options: Options = {}): Promise<TestService> {
  const service = await startTestService(options)
  afterAll(service.stop)
  return service
}

/** For one test alone; stopped when it ends. */
export async function serviceForTest(options: Options = {}): Promise<TestService> {
  const service = await startTestService(options)
  onTestFinished(service.stop)
  return service
}

/** A clock that a test moves by hand; it starts at the present. */
export function movableClock() {
  let aheadMs = 0
  return {
    now: () => Date.now() + aheadMs,
    advance(ms: number) {
      aheadMs += ms
    },
  }
}
