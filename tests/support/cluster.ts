import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { backEndsOf, dropDatabaseOf } from './back-ends.ts'
import { reservePort } from './reserved-port.ts'
import { startRoundRobin } from './round-robin.ts'
import { nodeStart, type ServiceProcess } from './service-process.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'
import { createClient } from './test-client.ts'
import { adminPassword, type TestService } from './test-service.ts'

/** One process of several on the same data, with the same accounts and tokens; asked directly. */
export type ClusterNode = TestService & {
  /** Heads what it delivers to webhooks. */
  name: string
  process: () => ServiceProcess
  /** Its way to PostgreSQL. */
  database: TcpProxy
  /** Its way to the store of objects; null: files lie in a folder that all nodes have. */
  store: TcpProxy | null
  kill: () => Promise<void>
  start: () => Promise<void>
}

export type Cluster = {
  nodes: [ClusterNode, ClusterNode]
  /** Through a proxy that gives each request to the next node. */
  whole: TestService
}

type Environment = Record<string, string>

/** Two processes on one database and one bucket, for all tests of one file; they start at the same time, on fresh data. */
export async function clusterForFile(environment: Environment = {}): Promise<Cluster> {
  const dataDir = await mkdtemp(join(tmpdir(), 'proofroom-test-'))
  const backEnds = await backEndsOf(dataDir)
  const nodes = await Promise.all(['Alpha', 'Beta'].map((name) => createNode(name, dataDir, backEnds, environment)))
  const roundRobin = await startRoundRobin(nodes.map(({ url }) => url))
  afterAll(async () => {
    await Promise.all([roundRobin.close(), ...nodes.map((node) => node.end())])
    await dropDatabaseOf(dataDir)
    await rm(dataDir, { recursive: true, force: true })
  })
  await Promise.all(nodes.map((node) => node.start()))

  const tokens = await tokensOf(roundRobin.url)
  const stop = async () => undefined
  const asService = (url: string): TestService => ({ url, dataDir, stop, ...clientsOf(url, tokens) })
  const [first, second] = nodes.map((node) => ({ ...node, ...asService(node.url) }))
  return { nodes: [first as ClusterNode, second as ClusterNode], whole: asService(roundRobin.url) }
}

async function createNode(name: string, dataDir: string, backEnds: Environment, further: Environment) {
  const { DATABASE_URL = '', S3_ENDPOINT } = backEnds
  const database = await startTcpProxy(targetOf(DATABASE_URL, 5432))
  const store = S3_ENDPOINT === undefined ? null : await startTcpProxy(targetOf(S3_ENDPOINT, 80))
  const environment = {
    ADMIN_PASSWORD: adminPassword,
    LOG_LEVEL: 'warn',
    RATE_LIMIT: 'off',
    WEBHOOK_ALLOW_PRIVATE_URLS: 'true',
    WEBHOOK_HEADER_ALIAS: name,
    ...backEnds,
    DATABASE_URL: through(database, DATABASE_URL),
    ...(store && S3_ENDPOINT !== undefined && { S3_ENDPOINT: through(store, S3_ENDPOINT) }),
    ...further,
  }
  const folder = store ? join(dataDir, name) : dataDir
  await shareCompiled(folder)
  const port = await reservePort()
  let process: ServiceProcess | null = null
  const kill = async () => process?.end('SIGKILL')
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    database,
    store,
    process: () => process as ServiceProcess,
    kill,
    async start() {
      process = await nodeStart({ dataDir: folder, port, environment })
    },
    async end() {
      await kill()
      await Promise.all([database.close(), store?.close()])
    },
  }
}

/** What was compiled for one node serves all others, too: many are started. */
async function shareCompiled(dataDir: string): Promise<void> {
  const compiled = join(import.meta.dirname, '../../node_modules/.cache/compiled-service')
  await mkdir(compiled, { recursive: true })
  await mkdir(dataDir, { recursive: true })
  await symlink(compiled, join(dataDir, 'compile-cache')).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
}

function targetOf(address: string, usualPort: number): { host: string; port: number } {
  const { hostname, port } = new URL(address)
  return { host: hostname, port: Number(port || usualPort) }
}

function through({ port }: TcpProxy, address: string): string {
  const url = new URL(address)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return url.href
}

type Tokens = { admin: string; api: string }

async function tokensOf(url: string): Promise<Tokens> {
  const login = { username: 'admin', password: adminPassword }
  const { body } = await createClient(url).post('/api/auth/admin/login', login)
  const token = { name: 'test', scopes: ['admin'] }
  const created = await createClient(url, body.token).post('/api/admin/api-tokens', token)
  return { admin: body.token, api: created.body.token }
}

const clientsOf = (url: string, { admin, api }: Tokens) => ({
  admin: createClient(url, admin),
  api: createClient(url, api),
  anonymous: createClient(url),
})
