import type { Logger } from 'pino'
import { DatabaseUnavailable } from '../database/opened-database.ts'
import { StorageUnavailable } from '../storage/storage.ts'

/** Returns whether the error is an outage of the database or the storage, which may end without intervention. */
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
      if (!isOutageLogged)
        log.warn({ err, ...facts }, `${text}; retrying until the database or the storage is available`)
      isOutageLogged = true
    },
    succeeded() {
      if (isOutageLogged) log.info(facts, 'Work resumed after an outage')
      isOutageLogged = false
    },
  }
}
