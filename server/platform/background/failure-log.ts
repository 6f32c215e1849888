import type { Logger } from 'pino'
import { DatabaseUnavailable } from '../database/opened-database.ts'
import { StorageUnavailable } from '../storage/storage.ts'

/** Returns whether the database or the storage cannot be reached, which may pass without intervention. */
export const isOutage = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable || error instanceof StorageUnavailable

type FailureLog = {
  failed: (error: unknown) => void
  succeeded: () => void
}

/** Logs an outage once until it ends, and every other error each time. */
export function createFailureLog(log: Logger, text: string, facts: object = {}): FailureLog {
  let isOutageLogged = false
  return {
    failed(err) {
      if (!isOutage(err)) return log.error({ err, ...facts }, text)
      if (!isOutageLogged) log.warn({ err, ...facts }, `${text}; it is tried until it can be reached`)
      isOutageLogged = true
    },
    succeeded() {
      if (isOutageLogged) log.info(facts, 'The work goes on: what could not be reached is back')
      isOutageLogged = false
    },
  }
}
