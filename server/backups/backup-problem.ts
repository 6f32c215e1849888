import { StorageFull } from '../platform/storage/storage.ts'

/** An expected failure of a backup or a restore. The message is for the operator. */
export class BackupProblem extends Error {
  readonly failureCode: string
  constructor(failureCode: string, message: string) {
    super(message)
    this.name = 'BackupProblem'
    this.failureCode = failureCode
  }
}

/** Returns a short code without paths or values. */
export function getFailureCode(error: unknown): string {
  if (error instanceof BackupProblem) return error.failureCode
  if (error instanceof StorageFull) return 'ENOSPC'
  const { code, name } = error as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : String(name ?? 'Error')
}
