import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { isoTime } from '../time/clock.ts'
import { version } from '../version.ts'
import { getProcessName, getProcessState } from './process-names.ts'

const lockFile = 'service.lock'
const stateFile = 'service.json'
/** Another command may hold the lock for an instant, while it checks whether the service runs. */
const waitMs = 1000

/** What the running service of a data folder says about itself. */
export type RunningService = { process: string; pid: number; address: string; version: string; started_at: string }

export type ServiceLock = {
  /** Records where the service listens, for commands that share the folder. */
  announce: (address: string) => void
  release: () => void
}

/**
 * Locks the data folder for a service; null if another service holds the lock. The lock is one of the operating system,
 * on a SQLite file, so it vanishes with the process.
 */
export function lockForService(dataDir: string): ServiceLock | null {
  const lock = new Sqlite(join(dataDir, lockFile), { timeout: waitMs })
  try {
    lock.pragma('journal_mode = memory')
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if (isBusy(error)) return null
    throw error
  }
  const path = join(dataDir, stateFile)
  return {
    announce(address) {
      const started_at = isoTime(Date.now())
      const service: RunningService = { process: getProcessName(), pid: process.pid, address, version, started_at }
      writeFileSync(path, `${JSON.stringify(service)}\n`, { mode: 0o600 })
    },
    release() {
      rmSync(path, { force: true })
      lock.close()
    },
  }
}

/** Returns what the service of this folder has announced; null if no service runs. Creates no file. */
export function findRunningService(dataDir: string): RunningService | null {
  const service = readState(join(dataDir, stateFile))
  if (service === null || getProcessState(service.process) === 'gone') return null
  return isLocked(join(dataDir, lockFile)) ? service : null
}

function readState(path: string): RunningService | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as RunningService
  } catch {
    return null
  }
}

function isLocked(path: string): boolean {
  if (!existsSync(path)) return false
  const lock = new Sqlite(path, { readonly: true, timeout: 0 })
  try {
    lock.prepare('select count(*) from sqlite_master').get()
    return false
  } catch (error) {
    return isBusy(error)
  } finally {
    lock.close()
  }
}

const isBusy = (error: unknown): boolean => (error as { code?: string }).code?.startsWith('SQLITE_BUSY') ?? false
