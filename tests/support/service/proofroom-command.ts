import { execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'vitest'
import { linkCompileCache } from '../run/compile-cache.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'
import { prepareBackEnds } from './back-ends.ts'
import type { TestService } from './test-service.ts'

const root = join(import.meta.dirname, '../../..')

export type CommandResult = { code: number | null; stdout: string; stderr: string }

/** Runs a command on the data of a running service. Resolves with its exit code. */
export async function runBeside(
  { dataDir }: Pick<TestService, 'dataDir'>,
  args: readonly string[],
  environment: Record<string, string> = {},
  options: RunOptions = {},
): Promise<CommandResult> {
  await linkCompileCache(dataDir)
  return runToEnd(args, { DATA_DIR: dataDir, ...(await prepareBackEnds(dataDir)), ...environment }, options)
}

/** Like `runBeside`, but rejects with the result unless the exit code is 0. */
export async function runProofroom(...run: Parameters<typeof runBeside>): Promise<CommandResult> {
  const result = await runBeside(...run)
  if (result.code !== 0) throw Object.assign(new Error(result.stderr), result)
  return result
}

/** Returns the path of a folder that has the compile cache only. */
export async function createCompiledDataDir(): Promise<string> {
  const dataDir = join(await temporaryFolder(), 'data')
  await linkCompileCache(dataDir)
  return dataDir
}

type RunOptions = { cwd?: string; input?: string; killAfterMs?: number }

/** Runs a command with these variables only, in any folder. Resolves with its exit code, or null if it was killed. */
export function runToEnd(
  args: readonly string[],
  environment: Record<string, string>,
  { cwd = root, input = '', killAfterMs = 120_000 }: RunOptions = {},
): Promise<CommandResult> {
  const env = { PATH: process.env.PATH, ...environment }
  const program = [join(root, 'bin/proofroom.js'), ...args]
  const options = { cwd, env, timeout: killAfterMs, killSignal: 'SIGKILL' } as const
  return new Promise((resolve) => {
    const child = execFile(process.execPath, program, options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    )
    child.stdin?.end(input)
  })
}

/** Runs a command with these variables only, and kills it as soon as the condition holds. Resolves when it has ended. */
export async function killWhen(
  args: readonly string[],
  environment: Record<string, string>,
  isReached: () => boolean | Promise<boolean>,
): Promise<void> {
  const child = spawn(process.execPath, ['bin/proofroom.js', ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, ...environment },
    stdio: 'ignore',
  })
  const ended = new Promise((resolve) => child.on('exit', resolve))
  await expect.poll(isReached, { interval: 10 }).toBe(true)
  child.kill('SIGKILL')
  await ended
}

const maxDataKilobytes = 3 * 2 ** 20
/**
 * Prints the memory that a process has used at most, and its child processes that have the same error output. Not
 * `resourceUsage`, which counts what the process of the test had used before it started the command.
 */
const reportMemory = encodeURIComponent(`
  process.on('exit', () => {
    const { readFileSync } = process.getBuiltinModule('node:fs')
    process._rawDebug('maxRSS', /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1])
  })`)

/**
 * Runs a command like `runToEnd`. `maxMemoryBytes` is the largest resident memory of its processes. The kernel stops a
 * process that wants more than 3 GiB.
 */
export async function runMeasured(
  args: readonly string[],
  environment: Record<string, string>,
): Promise<CommandResult & { maxMemoryBytes: number }> {
  const command = [process.execPath, join(root, 'bin/proofroom.js'), ...args]
  const options = {
    cwd: root,
    env: { PATH: process.env.PATH, NODE_OPTIONS: `--import=data:text/javascript,${reportMemory}`, ...environment },
    // For commands that hang.
    timeout: 120_000,
    killSignal: 'SIGKILL',
  } as const
  const result = await new Promise<CommandResult>((resolve) => {
    const limited = ['-c', `ulimit -d ${maxDataKilobytes}; exec "$@"`, 'sh', ...command]
    const child = execFile('/bin/sh', limited, options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    )
  })
  const kilobytes = [...result.stderr.matchAll(/^maxRSS (\d+)$/gm)].map(([, found]) => Number(found))
  if (kilobytes.length === 0) throw new Error(`No process has reported its memory: ${result.stderr}`)
  const maxMemoryBytes = Math.max(...kilobytes) * 1024
  return { ...result, stderr: result.stderr.replaceAll(/^maxRSS \d+\n/gm, ''), maxMemoryBytes }
}
