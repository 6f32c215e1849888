import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { createClient } from '../clients/test-client.ts'
import { startTcpProxy, type TcpProxy } from '../network/tcp-proxy.ts'
import { reservePort } from '../run/reserved-port.ts'
import { dropDatabase, prepareBackEnds } from '../service/back-ends.ts'
import { signInAt } from '../service/killable-service.ts'
import { type ServiceProcess, startByNode } from '../service/service-process.ts'
import { adminPassword, type TestService } from '../service/test-service.ts'

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

  const { admin, api } = await signInAt(roundRobin.url)
  const asService = (url: string): TestService => ({
    url,
    dataDir,
    stop: async () => undefined,
    admin: createClient(url, admin.token),
    api: createClient(url, api.token),
    anonymous: createClient(url),
  })
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

/**
 * Starts a proxy that sends each request to the next node. It does not check health: if the connection to the node
 * fails before a response, the proxy responds 502.
 */
async function startRoundRobin(urls: readonly string[]) {
  let count = 0
  const server = createServer((asked, response) => forward(asked, response, String(urls[count++ % urls.length])))
  server.requestTimeout = 0
  server.keepAliveTimeout = 75_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function forward(asked: IncomingMessage, response: ServerResponse, url: string): void {
  const { method, headers, url: path } = asked
  const upstream = request(new URL(path ?? '/', url), { method: method ?? 'GET', headers, agent: false })
  upstream.on('response', (upstreamResponse) => {
    response.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.rawHeaders)
    upstreamResponse.on('error', () => response.destroy()).on('aborted', () => response.destroy())
    upstreamResponse.pipe(response)
  })
  // The node may respond before it has read the request. Errors of sending the rest are then ignored.
  upstream.on('error', () => {
    if (!response.headersSent) response.writeHead(502, { connection: 'close' }).end()
  })
  response.on('close', () => upstream.destroy())
  asked.on('error', () => upstream.destroy())
  asked.pipe(upstream)
}
