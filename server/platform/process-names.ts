import { existsSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** Returns the owner name for leases: host, process id and start time. */
export const ownProcessName = (): string => nameOf(process.pid)

/** Returns `unknown` for a process of another host. */
export function stateOfProcess(name: string): 'running' | 'gone' | 'unknown' {
  const [host, pid] = name.split('~')
  if (host !== hostname()) return 'unknown'
  return name === nameOf(Number(pid)) ? 'running' : 'gone'
}

const nameOf = (pid: number): string => [hostname(), pid, startOf(pid)].join('~')

/** The start time distinguishes processes that got the same id. Returns 'gone' when there is no such process. */
function startOf(pid: number): string {
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
