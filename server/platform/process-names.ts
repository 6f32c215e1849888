import { existsSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** What a process signs a lease with: its host, its id and when it started. */
export const ownProcessName = (): string => nameOf(process.pid)

/** Whether the process of that name still runs; `unknown` for one of another host, which cannot be asked. */
export function stateOfProcess(name: string): 'running' | 'gone' | 'unknown' {
  const [host, pid] = name.split('~')
  if (host !== hostname()) return 'unknown'
  return name === nameOf(Number(pid)) ? 'running' : 'gone'
}

const nameOf = (pid: number): string => [hostname(), pid, startOf(pid)].join('~')

/** A process id is used again after a restart; together with the start time it is not. 'gone' for no such process. */
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
