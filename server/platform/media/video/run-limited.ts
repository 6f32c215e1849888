import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'

/** The program cannot be started. */
export class ProgramMissing extends Error {}

export type ProgramLimits = {
  wallSeconds: number
  cpuSeconds: number
  /** Limit of the private memory that the process may write. */
  memoryBytes: number
  /** Limit for each file that the program writes. */
  fileBytes: number
}

export type LimitedProgram = {
  /** The program and its arguments. */
  command: readonly string[]
  /** Standard input, and descriptor 3 for the output. */
  input: number
  output: number
  limits: ProgramLimits
  signal: AbortSignal
}

export type ProgramResult = {
  /** `stopped`: killed, for example by a limit, by the abort signal or by a crash. */
  outcome: 'done' | 'failed' | 'stopped'
  /** The first 64 KiB of the standard output, and of the error output. */
  text: string
  errors: string
}

const maxTextBytes = 2 ** 16

/** Large pages save a sixth of the time of a large picture. Only glibc knows the variable. */
const largePages = 'glibc.malloc.hugetlb=1'

/** Runs a program with kernel limits and without the environment of this process. Throws ProgramMissing. */
export function runLimited(program: LimitedProgram): Promise<ProgramResult> {
  const { command, input, output, limits, signal } = program
  return new Promise((resolve, reject) => {
    if (signal.aborted) return resolve({ outcome: 'stopped', text: '', errors: '' })
    const child = spawn('/bin/sh', ['-c', createLimitScript(limits), 'limit', ...command], {
      cwd: '/',
      env: { GLIBC_TUNABLES: largePages },
      stdio: [input, 'pipe', 'pipe', output],
      detached: true,
    })
    const [text, errors] = [collectText(child.stdout), collectText(child.stderr)]
    const end = () => killGroup(child)
    const timer = setTimeout(end, limits.wallSeconds * 1000)
    signal.addEventListener('abort', end, { once: true })
    const settle = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      end()
    }
    child.on('error', (cause) => {
      settle()
      reject(new ProgramMissing('The program cannot be started', { cause }))
    })
    child.on('exit', () => {
      settle()
      // A process that has left the group could keep the outputs open.
      setTimeout(() => {
        for (const stream of child.stdio) stream?.destroy()
      }, drainMs).unref()
    })
    child.on('close', (code, killedBy) => {
      if (code === notFound || code === notExecutable) {
        return reject(new ProgramMissing(`The program cannot be started: ${errors().slice(0, 300)}`))
      }
      const outcome = killedBy ? 'stopped' : code === 0 ? 'done' : 'failed'
      resolve({ outcome, text: text(), errors: errors() })
    })
  })
}

/** Time to read the last output after the exit. */
const drainMs = 1000

const notExecutable = 126
const notFound = 127

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // The processes have already ended. Some kernels report that as EPERM.
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

/** The script sets the limits, then runs the program. It fails when a limit cannot be set and none exists already. */
function createLimitScript({ cpuSeconds, memoryBytes, fileBytes }: ProgramLimits): string {
  const limits = [
    'limit -c 0',
    `limit -t ${Math.ceil(cpuSeconds)}`,
    // The shell counts this limit in blocks of 512 bytes.
    `limit -f ${Math.ceil(fileBytes / 512)}`,
    // Only Linux counts all private memory here.
    ...(process.platform === 'linux' ? [`limit -d ${Math.ceil(memoryBytes / 1024)}`] : []),
  ]
  return [
    'limit() { ulimit "$1" "$2" 2>/dev/null || [ "$(ulimit "$1")" != unlimited ]; }',
    `{ ${limits.join(' && ')}; } || exit ${notExecutable}`,
    'if [ -w /proc/self/oom_score_adj ]; then echo 1000 > /proc/self/oom_score_adj; fi',
    'exec "$@"',
  ].join('; ')
}

function collectText(stream: Readable | null): () => string {
  const chunks: Buffer[] = []
  let bytes = 0
  stream?.on('data', (chunk: Buffer) => {
    if (bytes < maxTextBytes) chunks.push(chunk.subarray(0, maxTextBytes - bytes))
    bytes += chunk.length
  })
  return () => Buffer.concat(chunks).toString('utf8')
}
