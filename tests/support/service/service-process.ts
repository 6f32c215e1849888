import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { vi } from 'vitest'
import { linkCompileCache } from '../run/compile-cache.ts'
import { reservePort } from '../run/reserved-port.ts'

const root = join(import.meta.dirname, '../../..')
const maxStartMs = 60_000

export type ServiceProcess = {
  url: string
  /** Process id of the started program, for example npm for `npm start`. */
  pid: number
  output: () => string
  /** Sends the signal to the process group, because npm has child processes, and waits for the end. */
  end: (signal: NodeJS.Signals) => Promise<void>
}

type Options = { dataDir: string; port?: number; environment?: Record<string, string>; cwd?: string }

export const startByNpm = (options: Options): Promise<ServiceProcess> => startProgram('npm', ['start'], options)

/** Starts the service without npm, so that `pid` is the process of the service. */
export const startByNode = (options: Options): Promise<ServiceProcess> =>
  startProgram(process.execPath, ['--max-semi-space-size=2', 'bin/proofroom.js', 'serve'], options)

/** Starts a program that runs the service. Resolves when the service is healthy. */
export async function startProgram(command: string, args: string[], options: Options): Promise<ServiceProcess> {
  const { dataDir, port = await reservePort(), environment = {}, cwd = root } = options
  if (cwd === root) await linkCompileCache(dataDir)
  const child = spawn(command, args, {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port), DATA_DIR: dataDir, ...environment },
  })
  let output = ''
  const print = (data: Buffer) => {
    output += data
  }
  child.stdout.on('data', print)
  child.stderr.on('data', print)
  const url = `http://127.0.0.1:${port}`
  try {
    await waitUntilReady(child, () => output)
    await vi.waitUntil(() => isHealthy(url), { timeout: maxStartMs })
  } catch (cause) {
    await end(child, 'SIGKILL')
    throw new Error(`The service did not start:\n${output}`, { cause })
  }
  return { url, pid: child.pid ?? 0, output: () => output, end: (signal) => end(child, signal) }
}

/** Throws when the process ends before it is ready, or when the start takes too long. */
async function waitUntilReady(
  child: ChildProcessByStdio<null, Readable, Readable>,
  output: () => string,
): Promise<void> {
  const waiting = new AbortController()
  const late = AbortSignal.timeout(maxStartMs)
  const isReady = () => output().includes('Proofroom is ready')
  const ready = async () => {
    while (!isReady()) await once(child.stdout, 'data', { signal: AbortSignal.any([waiting.signal, late]) })
  }
  const ended = once(child, 'exit', { signal: waiting.signal }).then(() => {
    throw new Error('The process ended')
  })
  await Promise.race([ready(), ended]).finally(() => waiting.abort())
}

const isHealthy = (url: string): Promise<boolean> =>
  fetch(`${url}/health`).then(
    (response) => response.ok,
    () => false,
  )

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  process.kill(-(child.pid ?? 0), signal)
  await ended
}
