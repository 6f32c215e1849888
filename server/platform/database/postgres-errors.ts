import { DatabaseError } from 'pg'
import { DatabaseUnavailable } from './database-unavailable.ts'

/**
 * Conditions of the server that pass: lost and refused connections, shutting down and starting, too many connections,
 * a standby after a failover; and waits that were ended: for a lock, for a statement, in a ring, for us in a transaction.
 */
const passing = /^(08...|25P0[34]|57P0[1235]|57014|53300|25006|40001|40P01|55P03)$/

const ofNetwork = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENET)/

/** Errors that the client makes itself have no code. */
const ofClient =
  /^(Connection terminated|timeout exceeded|Query read timeout|Client has encountered a connection error)/

/** What an error of the driver is to whoever asked: DatabaseUnavailable where trying again later may help. */
export function translatePostgresError(error: unknown): unknown {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  const isPassing = error instanceof DatabaseError ? passing.test(code) : ofNetwork.test(code) || ofClient.test(message)
  return isPassing ? new DatabaseUnavailable(`The database does not answer: ${message}`, { cause: error }) : error
}

/** Whether the connection is gone, so that nobody can say what became of what was sent last. */
export const isConnectionLost = (error: unknown): boolean =>
  error instanceof DatabaseError
    ? /^(08|25P0[34]|57P)/.test(error.code ?? '')
    : translatePostgresError(error) instanceof DatabaseUnavailable
