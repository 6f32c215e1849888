import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { getProcessName, getProcessState } from '../process/process-names.ts'
import { days } from '../time/clock.ts'

const foreignLeaseMs = days(1)

export type Staging = ReturnType<typeof createStaging>

/**
 * Each process has its own folder below `root`. Other processes on the same host delete the folder of an ended process.
 * Processes on another host delete a folder after a day without changes.
 */
export function createStaging(root: string) {
  const own = join(root, getProcessName())
  const ready = mkdir(own, { recursive: true })
  const staged = new Set<string>()

  return {
    ready,

    async path(): Promise<string> {
      await ready
      const path = join(own, randomUUID())
      staged.add(path)
      return path
    },

    /** For a file that has been moved away. */
    forget: (path: string): boolean => staged.delete(path),

    async discard(path: string): Promise<void> {
      if (staged.delete(path)) await unlink(path).catch(ignoreMissing)
    },

    async clearLeftovers(): Promise<number> {
      let count = 0
      for (const name of await readdir(root).catch(() => [])) {
        const folder = join(root, name)
        if (await isLeased(name, folder)) continue
        count += (await readdir(folder).catch(() => [name])).length
        await rm(folder, { recursive: true, force: true })
      }
      return count
    },
  }
}

/** The file is missing when nothing was written under its staged path. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

async function isLeased(name: string, folder: string): Promise<boolean> {
  const state = getProcessState(name)
  if (state !== 'unknown') return state === 'running'
  return Date.now() - (await stat(folder)).mtimeMs < foreignLeaseMs
}
