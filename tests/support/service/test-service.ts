import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished } from 'vitest'
import type { ContextOverrides } from '../../../server/create-app-context.ts'
import { startService } from '../../../server/main.ts'
import { readConfig } from '../../../server/platform/configuration/config.ts'
import { hours } from '../../../server/platform/time/clock.ts'
import { loadDescriptions } from '../clients/described-responses.ts'
import { createClient, type TestClient } from '../clients/test-client.ts'
import { readDatabase } from '../database/service-database.ts'
import { measureCost } from '../run/times/counters.ts'
import { dropDatabase, prepareBackEnds } from './back-ends.ts'
import { copyFirstDatabase } from './first-start-database.ts'
import { sharedEdges } from './shared-edges.ts'

export const adminPassword = 'correct-horse-battery'

export type TestService = {
  url: string
  dataDir: string
  /** Uses the session of the first admin. */
  admin: TestClient
  /** Uses an API token of scope admin of the first admin. */
  api: TestClient
  /** Uses no credential. */
  anonymous: TestClient
  stop: () => Promise<void>
}

type Options = { environment?: Record<string, string>; edges?: ContextOverrides }

/** Tests must not use a name server. */
const rejectResolve = async () => Promise.reject(new Error('No such name'))

/** Starts the real service on a free loopback port, with the data of a new instance and the back ends of this run. */
const startTestService = (options: Options = {}): Promise<TestService> =>
  measureCost('service start', () => start(options))

async function start({ environment = {}, edges = {} }: Options): Promise<TestService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'proofroom-test-'))
  await copyFirstDatabase(dataDir, environment, { password: adminPassword })
  const config = readConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: adminPassword,
    LOG_LEVEL: 'silent',
    SHUTDOWN_GRACE_S: '1',
    // All tests use one IP address, so rate limits are off. The tests of rate limits turn the limits on.
    RATE_LIMIT: 'off',
    ...(await prepareBackEnds(environment.DATA_DIR ?? dataDir)),
    ...environment,
  })
  // Delays the job that creates renditions in advance, because only the tests of this job need it.
  const service = await startService(config, {
    ...sharedEdges,
    warmAfterMs: hours(1),
    // Hundreds of services run in the tests, and temporary files are in memory.
    reserveBytes: 0,
    resolve: rejectResolve,
    ...edges,
  })
  const url = `http://127.0.0.1:${new URL(service.address).port}`
  const anonymous = createClient(url)
  const { body } = await anonymous.post('/api/auth/admin/login', { username: 'admin', password: adminPassword })
  const admin = createClient(url, body.token)
  let stopped: Promise<void> | null = null
  await loadDescriptions((document) => admin.get(document))
  const created = await admin.post('/api/admin/api-tokens', { name: 'test', scopes: ['admin'], reads_notes: true })
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
  await dropDatabase(dataDir)
  await rm(dataDir, { recursive: true, force: true })
}

let shared: Promise<TestService> | null = null

/**
 * Returns the service that all files of this process share. Tests must not change data that belongs to the whole
 * instance.
 */
export async function sharedService(): Promise<TestService> {
  shared ??= startTestService()
  const service = await shared
  const before = await loadInstanceState(service)
  afterAll(async () => expect(await loadInstanceState(service), 'what all tests of this process share').toEqual(before))
  return service
}

/** Returns data that belongs to no event, no customer and no account except the first admin. */
const loadInstanceState = async (service: TestService): Promise<unknown> => ({
  settings: (await service.admin.get('/api/admin/settings')).body,
  ...readDatabase(service, (stored) => ({
    // The origin at which a super_admin last signed in. It is used in links.
    origin: stored.prepare("select value from settings where key = 'instance_origin'").all(),
    eventTypes: stored.prepare('select * from event_types order by slug_prefix').all(),
    categories: stored.prepare('select * from categories where event_id is null order by id').all(),
    webhooks: stored.prepare('select id from webhooks').all(),
    firstAdmin: stored
      .prepare('select username, email, password_hash, role, is_active, session_version from users order by id limit 1')
      .all(),
  })),
})

export async function serviceForFile(options: Options = {}): Promise<TestService> {
  const service = await startTestService(options)
  afterAll(service.stop)
  return service
}

export async function serviceForTest(options: Options = {}): Promise<TestService> {
  const service = await startTestService(options)
  onTestFinished(service.stop)
  return service
}

export function createMovableClock() {
  let aheadMs = 0
  return {
    now: () => Date.now() + aheadMs,
    advance(ms: number) {
      aheadMs += ms
    },
  }
}
