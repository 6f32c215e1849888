import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { reservePort } from '../../tests/support/run/reserved-port.ts'
import { spawnNode, spawnProgram, stopChild } from './children.ts'

/** `startedInMs` is the time from the start of Node until the first successful response. */
export type Server = { pid: number; port: number; startedInMs: number; stop: () => Promise<void> }

const root = join(import.meta.dirname, '../..')
const startSeconds = 60
const graceSeconds = 25

type StartOptions = {
  core?: number | undefined
  env?: NodeJS.ProcessEnv
  /** The folder of the installation, by default this checkout. */
  installation?: string
}

/** The service runs with the flags and variables of `npm start`. */
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
const startTokens = manifest.scripts.start.split(' ')
const startFlags = startTokens.filter((word) => word.startsWith('--'))
const startVariables = Object.fromEntries(
  startTokens.filter((word) => /^[A-Z_]+=/.test(word)).map((word) => word.split('=')),
)

export function startLimit(name: string, args: readonly string[], options: StartOptions = {}): Promise<Server> {
  return startServer([join(root, 'bench/limits', `${name}.ts`), ...args], options)
}

export function startService(dataDir: string, options: StartOptions = {}): Promise<Server> {
  const own = { DATA_DIR: dataDir, ADMIN_PASSWORD: adminPassword, LOG_LEVEL: 'warn', RATE_LIMIT: 'off' }
  const env = { ...startVariables, ...own, ...options.env }
  const program = join(options.installation ?? root, 'bin/proofroom.js')
  return startServer([...startFlags, program, 'serve'], { ...options, env })
}

/** Starts the service by `npm start`. `pid` is the process of npm. */
export function startServiceByNpm(dataDir: string): Promise<Server> {
  const env = { DATA_DIR: dataDir, ADMIN_PASSWORD: adminPassword, LOG_LEVEL: 'warn' }
  return startServer(['npm', 'start'], { env, spawn: spawnProgram })
}

export const adminPassword = 'measured-Against-the-limit-1'

async function startServer(
  args: readonly string[],
  { core, env, spawn = spawnNode }: StartOptions & { spawn?: typeof spawnNode },
): Promise<Server> {
  const port = await reservePort()
  const begin = performance.now()
  const where = { HOST: '127.0.0.1', PORT: String(port) }
  const child = spawn(args, { env: { ...env, ...where }, core, cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const outputTail = captureOutputTail(child)
  while (!(await isReady(port))) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`${args.join(' ')} ended with ${child.exitCode ?? child.signalCode}:\n${outputTail()}`)
    }
    if (performance.now() - begin > startSeconds * 1000) {
      await stopChild(child, 0)
      throw new Error(`${args.join(' ')} did not answer within ${startSeconds} s:\n${outputTail()}`)
    }
    await sleep(2)
  }
  const startedInMs = performance.now() - begin
  return { pid: child.pid ?? 0, port, startedInMs, stop: () => stopChild(child, graceSeconds) }
}

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: '/health', agent: false, timeout: 5000 }, (response) => {
      response.resume()
      resolve(response.statusCode === 200 || response.statusCode === 304)
    })
    request.on('timeout', () => request.destroy(new Error('timeout')))
    request.on('error', () => resolve(false))
  })
}

function captureOutputTail(child: ChildProcess): () => string {
  let tail = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      tail = (tail + text).slice(-4000)
    })
  }
  return () => tail
}
