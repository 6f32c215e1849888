import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'

const running = new Set<ChildProcess>()

process.on('exit', () => {
  for (const child of running) signalGroup(child, 'SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

/** Starts Node, pinned to a core if one is given. The child is killed when this process exits. */
export function spawnNode(
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; core?: number | undefined; cwd?: string; stdio: StdioOptions },
): ChildProcess {
  const { core, env, ...rest } = options
  const pin = core === undefined ? [] : ['taskset', '-c', String(core)]
  return spawnProgram([...pin, process.execPath, ...args], { ...rest, ...(env && { env }) })
}

/** The child is killed when this process exits. */
export function spawnProgram(
  [program = '', ...args]: readonly string[],
  { env, ...options }: { env?: NodeJS.ProcessEnv; cwd?: string; stdio: StdioOptions },
): ChildProcess {
  const child = spawn(program, args, { ...options, env: { ...process.env, ...env }, detached: true })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** Sends SIGTERM to the child. If it still runs after `graceSeconds`, sends SIGKILL to its process group. */
export async function stopChild(child: ChildProcess, graceSeconds: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), graceSeconds * 1000)
  child.kill('SIGTERM')
  await ended
  clearTimeout(timer)
}

export async function stopAllChildren(graceSeconds: number): Promise<void> {
  await Promise.all([...running].map((child) => stopChild(child, graceSeconds)))
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
