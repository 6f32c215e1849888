import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'

/** ffmpeg cannot be run. The video is not the cause. */
export class FfmpegMissing extends Error {}

export async function findFfmpeg(configuredPath: string | null): Promise<string> {
  if (configuredPath !== null) return configuredPath
  try {
    return (await import('@ffmpeg-installer/ffmpeg')).default.path
  } catch (cause) {
    // The package throws a string when it has no program for this platform.
    throw new FfmpegMissing('There is no ffmpeg for this machine in the package; set FFMPEG_PATH', { cause })
  }
}

export type FfmpegLimits = {
  wallSeconds: number
  cpuSeconds: number
  /** Limit of the address space, which is larger than the memory in use. */
  memoryBytes: number
  /** Limit for each file that ffmpeg writes. */
  fileBytes: number
}

export type FfmpegResult = {
  /** `stopped`: killed, for example by a limit, by the abort signal or by a crash. */
  outcome: 'done' | 'failed' | 'stopped'
  /** The start and the end of the error output of ffmpeg; a long middle and lines above 500 characters are left out. */
  report: string
}

const maxHeadBytes = 2 ** 18
const maxTailBytes = 2 ** 15

/** Runs ffmpeg without environment or standard input, in an empty folder, with kernel limits. Throws FfmpegMissing. */
export async function runFfmpeg(
  program: string,
  args: readonly string[],
  { limits, scratchRoot, signal }: { limits: FfmpegLimits; scratchRoot: string; signal: AbortSignal },
): Promise<FfmpegResult> {
  const cwd = await mkdtemp(join(scratchRoot, 'ffmpeg-'))
  const command = ['-c', createLimitScript(limits), 'ffmpeg', program, ...args]
  try {
    return await run(command, cwd, limits.wallSeconds, signal)
  } finally {
    await rm(cwd, { recursive: true, force: true })
  }
}

function run(command: string[], cwd: string, wallSeconds: number, signal: AbortSignal): Promise<FfmpegResult> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return resolve({ outcome: 'stopped', report: '' })
    const child = spawn('/bin/sh', command, {
      cwd,
      env: {},
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    })
    const report = createBoundedText()
    child.stderr.on('data', report.add)
    if (child.pid !== undefined) lowerPriority(child.pid)

    const end = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch (error) {
        // The processes have already ended. Some kernels report that as EPERM.
        if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
      }
    }
    const timer = setTimeout(end, wallSeconds * 1000)
    signal.addEventListener('abort', end, { once: true })
    const settle = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      end()
    }
    child.on('error', (cause) => {
      settle()
      reject(new FfmpegMissing('ffmpeg cannot be started', { cause }))
    })
    child.on('exit', () => {
      settle()
      // A process that has left the group could keep the output open.
      setTimeout(() => child.stderr.destroy(), drainMs).unref()
    })
    child.on('close', (code, killedBy) => {
      if (code === notFound || code === notExecutable) {
        return reject(new FfmpegMissing(`ffmpeg cannot be started: ${report.text().slice(0, 300)}`))
      }
      resolve({ outcome: killedBy ? 'stopped' : code === 0 ? 'done' : 'failed', report: report.text() })
    })
  })
}

/** Time to read the last output after the exit. */
const drainMs = 1000

const notExecutable = 126
const notFound = 127

/** The script sets the limits, then runs the program. It fails when a limit cannot be set and none exists already. */
function createLimitScript({ cpuSeconds, memoryBytes, fileBytes }: FfmpegLimits): string {
  const limits = [
    'limit -c 0',
    `limit -t ${Math.ceil(cpuSeconds)}`,
    // The shell counts this limit in blocks of 512 bytes.
    `limit -f ${Math.ceil(fileBytes / 512)}`,
    // Only Linux supports this limit.
    ...(process.platform === 'linux' ? [`limit -v ${Math.ceil(memoryBytes / 1024)}`] : []),
  ]
  return [
    'limit() { ulimit "$1" "$2" 2>/dev/null || [ "$(ulimit "$1")" != unlimited ]; }',
    `{ ${limits.join(' && ')}; } || exit ${notExecutable}`,
    'if [ -w /proc/self/oom_score_adj ]; then echo 1000 > /proc/self/oom_score_adj; fi',
    'exec "$@"',
  ].join('; ')
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SYSTEM_ERROR') throw error
  }
}

/** ffmpeg itself writes shorter lines. The tags of a file may be longer, and expressions over them could take long. */
const maxLineLength = 500

const dropLongLines = (text: string): string =>
  text
    .split(/\r\n?|\n/)
    .filter((line) => line.length <= maxLineLength)
    .join('\n')

function createBoundedText() {
  const head: Buffer[] = []
  let headBytes = 0
  let tail = Buffer.alloc(0)
  return {
    add(chunk: Buffer): void {
      const toHead = chunk.subarray(0, maxHeadBytes - headBytes)
      if (toHead.length > 0) head.push(toHead)
      headBytes += toHead.length
      const rest = chunk.subarray(toHead.length)
      if (rest.length > 0) tail = Buffer.from(Buffer.concat([tail, rest]).subarray(-maxTailBytes))
    },
    text: (): string => dropLongLines(Buffer.concat([...head, tail]).toString('utf8')),
  }
}
