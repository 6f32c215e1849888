import { ConfigProblems } from '../platform/configuration/config.ts'
import { DatabaseUnavailable } from '../platform/database/opened-database.ts'
import { StorageFull, StorageUnavailable } from '../platform/storage/storage.ts'
import { printError } from './print.ts'

/** The codes that a command ends with, other than 0. */
export const exitCodes = { failed: 1, rejected: 2 } as const

/** An expected failure of `migrate-database` or `migrate-storage`. The message is for the operator. */
export class MoveProblem extends Error {}

/** The command was called in the wrong way, and has changed nothing. The message says how to call it. */
export class CommandRejected extends Error {}

/** Prints the lines of a message and sets the exit code. */
export function fail(...lines: string[]): undefined {
  printError(...lines)
  process.exitCode = exitCodes.failed
}

/** Prints an expected error in one line and sets the exit code. Throws any error for which `format` returns null. */
export async function reportErrors(
  format: (error: Error & { code?: string }) => string | null,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    const line = format(error as Error)
    if (line === null) throw error
    fail(...line.split('\n'))
  }
}

/** Errors of the system whose message and path are clear enough for an operator. */
const systemErrorCodes = [
  'ENOSPC',
  'EACCES',
  'EPERM',
  'EROFS',
  'EIO',
  'ENOENT',
  'ENOTDIR',
  'EEXIST',
  'EISDIR',
  'EDQUOT',
]

/** Whether SQLite could not read or write its files, which a full disk causes more often than a damaged one. */
export const isDiskError = (code: string): boolean => code === 'SQLITE_FULL' || code.startsWith('SQLITE_IOERR')

export const diskCure = 'If the disk is full, free space on it. The data are not damaged by that.'

/** Returns the message of an error that an operator can repair, and null for a fault of the program. */
export function formatOperatorError(error: Error & { code?: string; syscall?: string }): string | null {
  const { message, code = '' } = error
  if (error instanceof CommandRejected) return message
  if (error instanceof ConfigProblems) {
    return `Proofroom cannot start:\n${error.lines.map((line) => `  ${line}`).join('\n')}`
  }
  if (error instanceof DatabaseUnavailable || error instanceof StorageUnavailable) return message
  if (code.startsWith('SQLITE_BUSY')) return 'The database in DATA_DIR is locked by another process.'
  if (code.startsWith('SQLITE_')) {
    const cure = isDiskError(code) ? ` ${diskCure}` : ''
    return `The database in DATA_DIR cannot be used: ${message} (${code}).${cure}`
  }
  if (error instanceof StorageFull) return 'The disk is full: free space on it.'
  if (code === 'ENOSPC' || code === 'EDQUOT') return `The disk is full: free space on it. ${message}`
  // The SQLSTATE classes 3D and 28 mean that the database does not exist, or that the user may not connect.
  if (/^(3D|28)...$/.test(code)) return `PostgreSQL reports: ${message}`
  return systemErrorCodes.includes(code) ? `Proofroom cannot use a file or folder: ${message}` : null
}
