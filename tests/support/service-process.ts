import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { shareCompiled } from './compiled-once.ts'

const root = join(import.meta.dirname, '../..')
const startMs = 30_000

export type ServiceProcess = {
  url: string
  /** Of node itself when it was started directly; of npm for `npm start`. */
  pid: number
  /** All it has printed so far. */
  output: () => string
  /** Sends the signal and waits for the end; to the whole group, as npm has children. */
  end: (signal: NodeJS.Signals) => Promise<void>
}

type Options = { dataDir: string; port?: number; environment?: Record<string, string>; cwd?: string }

/** The service as a person starts it. */
export const npmStart = (options: Options): Promise<ServiceProcess> => start('npm', ['start'], options)

/** The same program without npm between, so that its own process can be killed. */
export const nodeStart = (options: Options): Promise<ServiceProcess> =>
  start(process.execPath, ['--max-semi-space-size=1', 'bin/proofroom.js', 'serve'], options)

/** A program that becomes the service. */
export async function start(command: string, args: string[], options: Options): Promise<ServiceProcess> {
  const { dataDir, port = await freePort(), environment = {}, cwd = root } = options
  if (cwd === root) await shareCompiled(dataDir)
  const child = spawn(command, args, {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port), DATA_DIR: dataDir, ...environment },
  })
  let output = ''
  child.stdout.on('data', (data) => {
    output += data
  })
  child.stderr.on('data', (data) => {
    output += data
  })
  const url = `http://127.0.0.1:${port}`
  await waitUntilHealthy(child, url, () => output)
  return { url, pid: child.pid ?? 0, output: () => output, end: (signal) => end(child, signal) }
}

async function waitUntilHealthy(child: ChildProcess, url: string, output: () => string): Promise<void> {
  const deadline = Date.now() + startMs
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`The service ended:\n${output()}`)
    const isHealthy = await fetch(`${url}/health`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (isHealthy && output().includes('Proofroom is ready')) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await end(child, 'SIGKILL')
  throw new Error(`The service was not ready in time:\n${output()}`)
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  process.kill(-(child.pid ?? 0), signal)
  await ended
}

/** Outside of the range from which the system takes ports for connections: nobody gets it by chance before it is used. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) =>
      server
        .once('error', () => resolve(false))
        .once('listening', () => resolve(true))
        .listen(port, '127.0.0.1'),
    )
    if (!isFree) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}
