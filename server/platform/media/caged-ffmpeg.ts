import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { FfmpegMissing } from './find-ffmpeg.ts'

export type FfmpegLimits = {
  /** After it the whole process group is killed. */
  wallSeconds: number
  cpuSeconds: number
  /** Of address space, which is more than it takes. */
  memoryBytes: number
  /** Of any file it writes. */
  fileBytes: number
}

export type FfmpegRun = {
  /** How it ended: `stopped` by the limits, the signal of whoever asked, or a crash. */
  outcome: 'done' | 'failed' | 'stopped'
  /** What it told first and last, cut in between where it told much. */
  report: string
}

const maxHeadBytes = 2 ** 18
const maxTailBytes = 2 ** 15

/**
 * Runs ffmpeg as a process that can do little harm: no environment, no standard input, an empty folder of its own below
 * `scratchRoot`, the limits of the kernel, a low priority, and the first to go where memory is short. What it may open
 * is up to the arguments. Throws FfmpegMissing where it cannot be started.
 */
export async function runCagedFfmpeg(
  program: string,
  args: readonly string[],
  { limits, scratchRoot, signal }: { limits: FfmpegLimits; scratchRoot: string; signal: AbortSignal },
): Promise<FfmpegRun> {
  const cwd = await mkdtemp(join(scratchRoot, 'ffmpeg-'))
  try {
    return await run(program, args, { limits, cwd, signal })
  } finally {
    await rm(cwd, { recursive: true, force: true })
  }
}

function run(
  program: string,
  args: readonly string[],
  { limits, cwd, signal }: { limits: FfmpegLimits; cwd: string; signal: AbortSignal },
): Promise<FfmpegRun> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return resolve({ outcome: 'stopped', report: '' })
    const child = spawn('/bin/sh', ['-c', cage(limits), 'ffmpeg', program, ...args], {
      cwd,
      env: {},
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    })
    const report = boundedText()
    child.stderr.on('data', report.add)
    if (child.pid !== undefined) lower(child.pid)

    const end = () => {
      try {
        // Of the whole group: whatever it has started ends with it.
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch (error) {
        // Gone already; some kernels say so in another way.
        if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
      }
    }
    const timer = setTimeout(end, limits.wallSeconds * 1000)
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
      // What may have got out of the group would keep the output open.
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

/** Its last words are read for so long. */
const drainMs = 1000

const notExecutable = 126
const notFound = 127

/** Sets the limits and becomes the program. One that cannot be set keeps it from being run, unless there is one already. */
function cage({ cpuSeconds, memoryBytes, fileBytes }: FfmpegLimits): string {
  const limits = [
    'limit -c 0',
    `limit -t ${Math.ceil(cpuSeconds)}`,
    // Counted in blocks of 512 bytes.
    `limit -f ${Math.ceil(fileBytes / 512)}`,
    // Other kernels do not know it.
    ...(process.platform === 'linux' ? [`limit -v ${Math.ceil(memoryBytes / 1024)}`] : []),
  ]
  return [
    'limit() { ulimit "$1" "$2" 2>/dev/null || [ "$(ulimit "$1")" != unlimited ]; }',
    `{ ${limits.join(' && ')}; } || exit ${notExecutable}`,
    'if [ -w /proc/self/oom_score_adj ]; then echo 1000 > /proc/self/oom_score_adj; fi',
    'exec "$@"',
  ].join('; ')
}

function lower(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch (error) {
    // It may be over already.
    if ((error as { code?: string }).code !== 'ERR_SYSTEM_ERROR') throw error
  }
}

/** Keeps the beginning and the end of what may be endless. */
function boundedText() {
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
    text: (): string => Buffer.concat([...head, tail]).toString('utf8'),
  }
}
