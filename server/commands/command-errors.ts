import { ConfigProblems } from '../platform/configuration/config.ts'
import { DatabaseUnavailable } from '../platform/database/opened-database.ts'
import { StorageFull, StorageUnavailable } from '../platform/storage/storage.ts'
import { t } from '../platform/text/command-messages.ts'
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

/** Returns the message of an error that an operator can repair, and null for a fault of the program. */
export function formatOperatorError(error: Error & { code?: string; syscall?: string }): string | null {
  const { message, code = '' } = error
  if (error instanceof CommandRejected) return message
  if (error instanceof ConfigProblems) {
    return [t('cannotStart'), ...error.lines.map((line) => `  ${line}`)].join('\n')
  }
  if (error instanceof DatabaseUnavailable || error instanceof StorageUnavailable) return message
  if (code.startsWith('SQLITE_BUSY')) return t('databaseLocked')
  if (code.startsWith('SQLITE_')) {
    const text = t('databaseUnusable', { problem: message, code })
    return isDiskError(code) ? `${text} ${t('diskCure')}` : text
  }
  if (error instanceof StorageFull) return t('diskFullFix')
  if (code === 'ENOSPC' || code === 'EDQUOT') return `${t('diskFullFix')} ${message}`
  // The SQLSTATE classes 3D and 28 mean that the database does not exist, or that the user may not connect.
  if (/^(3D|28)...$/.test(code)) return t('postgresReports', { problem: message })
  return systemErrorCodes.includes(code) ? t('fileUnusable', { problem: message }) : null
}
