import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { createClient } from '../clients/test-client.ts'
import { startTcpProxy, type TcpProxy } from '../network/tcp-proxy.ts'
import { reservePort } from '../run/reserved-port.ts'
import { dropDatabase, prepareBackEnds } from '../service/back-ends.ts'
import { type ServiceProcess, startByNode } from '../service/service-process.ts'
import { adminPassword, type TestService } from '../service/test-service.ts'
import { startRoundRobin } from './round-robin-proxy.ts'

/** One of several processes on the same data. All nodes accept the same tokens; requests go to this node directly. */
export type ClusterNode = TestService & {
  /** Its webhook deliveries have this name in the names of their headers. */
  name: string
  process: () => ServiceProcess
  /** Proxy between the node and PostgreSQL. */
  database: TcpProxy
  /** Proxy between the node and the object store. null: files are in a folder that all nodes share. */
  store: TcpProxy | null
  kill: () => Promise<void>
  start: () => Promise<void>
}

export type Cluster = {
  nodes: [ClusterNode, ClusterNode]
  /** All nodes behind a round-robin proxy. */
  balanced: TestService
}

type Environment = Record<string, string>

/** Starts two processes on one empty database and one bucket or folder for all tests of a file. */
export async function clusterForFile(environment: Environment = {}): Promise<Cluster> {
  const dataDir = await mkdtemp(join(tmpdir(), 'proofroom-test-'))
  const backEnds = await prepareBackEnds(dataDir)
  const nodes = await Promise.all(['Alpha', 'Beta'].map((name) => createNode(name, dataDir, backEnds, environment)))
  const roundRobin = await startRoundRobin(nodes.map(({ url }) => url))
  afterAll(async () => {
    await Promise.all([roundRobin.close(), ...nodes.map((node) => node.end())])
    await dropDatabase(dataDir)
    await rm(dataDir, { recursive: true, force: true })
  })
  await Promise.all(nodes.map((node) => node.start()))

  const tokens = await createTokens(roundRobin.url)
  const stop = async () => undefined
  const asService = (url: string): TestService => ({ url, dataDir, stop, ...createClients(url, tokens) })
  const [first, second] = nodes.map((node) => ({ ...node, ...asService(node.url) }))
  return { nodes: [first as ClusterNode, second as ClusterNode], balanced: asService(roundRobin.url) }
}

async function createNode(name: string, dataDir: string, backEnds: Environment, extraEnvironment: Environment) {
  const { DATABASE_URL = '', S3_ENDPOINT } = backEnds
  const database = await startTcpProxy(parseTarget(DATABASE_URL, 5432))
  const store = S3_ENDPOINT === undefined ? null : await startTcpProxy(parseTarget(S3_ENDPOINT, 80))
  const environment = {
    ADMIN_PASSWORD: adminPassword,
    LOG_LEVEL: 'warn',
    RATE_LIMIT: 'off',
    WEBHOOK_ALLOW_PRIVATE_URLS: 'true',
    WEBHOOK_HEADER_ALIAS: name,
    ...backEnds,
    DATABASE_URL: replaceHost(database, DATABASE_URL),
    ...(store && S3_ENDPOINT !== undefined && { S3_ENDPOINT: replaceHost(store, S3_ENDPOINT) }),
    ...extraEnvironment,
  }
  const folder = store ? join(dataDir, name) : dataDir
  await linkCompileCache(folder)
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
      process = await startByNode({ dataDir: folder, port, environment })
    },
    async end() {
      await kill()
      await Promise.all([database.close(), store?.close()])
    },
  }
}

/** All nodes share one compile cache, which shortens their starts. */
async function linkCompileCache(dataDir: string): Promise<void> {
  const compiled = join(import.meta.dirname, '../../../node_modules/.cache/compiled-service')
  await mkdir(compiled, { recursive: true })
  await mkdir(dataDir, { recursive: true })
  await symlink(compiled, join(dataDir, 'compile-cache')).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
}

function parseTarget(address: string, defaultPort: number): { host: string; port: number } {
  const { hostname, port } = new URL(address)
  return { host: hostname, port: Number(port || defaultPort) }
}

function replaceHost({ port }: TcpProxy, address: string): string {
  const url = new URL(address)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return url.href
}

type Tokens = { admin: string; api: string }

async function createTokens(url: string): Promise<Tokens> {
  const login = { username: 'admin', password: adminPassword }
  const { body } = await createClient(url).post('/api/auth/admin/login', login)
  const token = { name: 'test', scopes: ['admin'] }
  const created = await createClient(url, body.token).post('/api/admin/api-tokens', token)
  return { admin: body.token, api: created.body.token }
}

const createClients = (url: string, { admin, api }: Tokens) => ({
  admin: createClient(url, admin),
  api: createClient(url, api),
  anonymous: createClient(url),
})
