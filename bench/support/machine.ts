import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'

const tmpfs = 0x01021994

export function machineLine(): string {
  return `${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}`
}

/** Returns one core for the server and one for the load generator, or none where pinning is not possible. */
export function separateCores(): { server?: number; generator?: number } {
  const [server, generator] = allowedCores()
  if (server === undefined || generator === undefined || spawnSync('taskset', ['-V']).status !== 0) return {}
  return { server, generator }
}

/** Returns a temporary folder for a run. It is removed when the process ends. */
export function openWorkspace(): string {
  const folder = mkdtempSync(join(tmpdir(), 'proofroom-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  if (statfsSync(folder).type === tmpfs) {
    console.log(`${tmpdir()} is in memory, where fsync is free. Set TMPDIR to a folder on a disk.`)
  }
  return folder
}

function allowedCores(): number[] {
  const list = /^Cpus_allowed_list:\s*(.+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? ''
  return list.split(',').flatMap((range) => {
    const [from = 0, to = from] = range.split('-').map(Number)
    return Array.from({ length: to - from + 1 }, (_, index) => from + index)
  })
}
