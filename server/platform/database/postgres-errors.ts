import { DatabaseError } from 'pg'
import { DatabaseUnavailable } from './database-unavailable.ts'

/**
 * Transient server errors: lost and rejected connections, shutdown and startup, too many connections, a standby after a
 * failover, timeouts and deadlocks.
 */
const transientCodes = /^(08...|25P0[34]|57P0[1235]|57014|53300|25006|40001|40P01|55P03)$/

const networkCodes = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENET)/

/** The client reports its own errors without a code. */
const clientMessages =
  /^(Connection terminated|timeout exceeded|Query read timeout|Client has encountered a connection error)/

/** Returns DatabaseUnavailable for errors that may pass with a later attempt, else the error itself. */
export function translatePostgresError(error: unknown): unknown {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  const isTransient =
    error instanceof DatabaseError ? transientCodes.test(code) : networkCodes.test(code) || clientMessages.test(message)
  return isTransient ? new DatabaseUnavailable(`The database does not answer: ${message}`, { cause: error }) : error
}

/** Returns whether the connection is lost, so that the outcome of the last statement is unknown. */
export const isConnectionLost = (error: unknown): boolean =>
  error instanceof DatabaseError
    ? /^(08|25P0[34]|57P)/.test(error.code ?? '')
    : translatePostgresError(error) instanceof DatabaseUnavailable
