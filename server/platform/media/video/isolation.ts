import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { enterSandbox } from './sandbox.ts'
import { readyLine } from './video-result.ts'

/** `sandbox`: see `enterSandbox`. `limits`: only the resource limits hold, because the system does not allow namespaces. */
export type Isolation = 'sandbox' | 'limits'

const workerPath = fileURLToPath(new URL('./video-worker.ts', import.meta.url))
const nodeOptions = ['--max-old-space-size=128', '--max-semi-space-size=1', '--disable-warning=ExperimentalWarning']

/** Starts the video worker. Without a task as the last argument, it only shows that it can start. */
const workerCommand: readonly string[] = [process.execPath, ...nodeOptions, workerPath]

/** What Node.js and the video worker read when they start. */
const workerPaths: readonly string[] = [
  process.execPath,
  ...['package.json', 'server'].map((name) => fileURLToPath(new URL(`../../../../${name}`, import.meta.url))),
  ...(createRequire(import.meta.url).resolve.paths('sharp') ?? []),
]

/** The program, and the libraries that some builds of ffmpeg have beside their folder `bin`. */
function listFfmpegPaths(path: string): string[] {
  const folder = dirname(path)
  return basename(folder) === 'bin' ? [path, join(folder, '../lib')] : [path]
}

type Run = { inputPath: string; ffmpegPath: string | null; privateFolder: string }

/** Returns the command line that runs the video worker. In the sandbox, it sees the video but not `privateFolder`. */
export async function isolateWorker(task: string, { inputPath, ffmpegPath, privateFolder }: Run): Promise<string[]> {
  const command = [...workerCommand, task]
  if ((await detectIsolation()) === 'limits') return command
  const visiblePaths = [...workerPaths, ...(ffmpegPath === null ? [] : listFfmpegPaths(ffmpegPath))]
  return enterSandbox({ command, inputPath, visiblePaths, privateFolder })
}

/** Returns the command line that runs ffmpeg with these arguments as the video worker does. */
export async function isolateFfmpeg(path: string, args: readonly string[]): Promise<string[]> {
  if ((await detectIsolation()) === 'limits') return [path, ...args]
  return enterSandbox({ command: [path, ...args], inputPath: '/dev/null', visiblePaths: listFfmpegPaths(path) })
}

let checking: Promise<boolean> | null = null

/** Returns how this system can isolate the video worker. Tries again after a failure, which may be temporary. */
export async function detectIsolation(): Promise<Isolation> {
  checking ??= canStartInSandbox()
  if (await checking) return 'sandbox'
  checking = null
  return 'limits'
}

async function canStartInSandbox(): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const sandboxed = enterSandbox({ command: workerCommand, inputPath: '/dev/null', visiblePaths: workerPaths })
  const [program = '', ...args] = sandboxed
  return promisify(execFile)(program, args, { timeout: 30_000, env: {} }).then(
    ({ stdout }) => stdout.startsWith(readyLine),
    () => false,
  )
}
