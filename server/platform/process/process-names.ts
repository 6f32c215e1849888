import { existsSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** Returns a name that identifies this process: host, process id and start time. */
export const getProcessName = (): string => formatProcessName(process.pid)

/** Returns `unknown` for a process of another host. */
export function getProcessState(name: string): 'running' | 'gone' | 'unknown' {
  const [host, pid] = name.split('~')
  if (host !== hostname()) return 'unknown'
  return name === formatProcessName(Number(pid)) ? 'running' : 'gone'
}

const formatProcessName = (pid: number): string => [hostname(), pid, readStartTime(pid)].join('~')

/**
 * The start time distinguishes processes that had the same id one after another. Returns `gone` when there is no such
 * process, and for others `alive` on a system without `/proc`.
 */
function readStartTime(pid: number): string {
  if (existsSync('/proc/self/stat')) {
    const statFile = `/proc/${pid}/stat`
    if (!existsSync(statFile)) return 'gone'
    const fields = readFileSync(statFile, 'utf8').split(') ').at(-1)?.split(' ')
    return fields?.[19] ?? 'unknown'
  }
  try {
    process.kill(pid, 0)
    return 'alive'
  } catch {
    return 'gone'
  }
}
