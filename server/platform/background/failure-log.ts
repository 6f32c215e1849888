import type { FastifyBaseLogger } from 'fastify'
import { DatabaseUnavailable } from '../database/database-unavailable.ts'
import { StorageUnavailable } from '../storage/storage.ts'

/** Whether it passes without anybody's doing: the database or the storage cannot be reached. */
export const isOutage = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable || error instanceof StorageUnavailable

type FailureLog = {
  failed: (error: unknown) => void
  /** After work that went well. */
  worked: () => void
}

/** Tells of an outage once, until it is over; of whatever else fails each time. */
export function createFailureLog(log: FastifyBaseLogger, text: string, facts: object = {}): FailureLog {
  let isOut = false
  return {
    failed(err) {
      if (!isOutage(err)) return log.error({ err, ...facts }, text)
      if (!isOut) log.warn({ err, ...facts }, `${text}; it is tried until it can be reached`)
      isOut = true
    },
    worked() {
      if (isOut) log.info(facts, 'The work goes on: what could not be reached is back')
      isOut = false
    },
  }
}
