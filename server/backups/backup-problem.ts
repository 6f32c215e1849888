import { StorageFull } from '../platform/storage/storage.ts'

/** An expected no to a backup or a restore: its message is told to whoever asked. */
export class BackupProblem extends Error {
  /** In a word, for the health page. */
  readonly word: string
  constructor(word: string, message: string) {
    super(message)
    this.name = 'BackupProblem'
    this.word = word
  }
}

/** What went wrong, in a word that tells neither path nor value. */
export function wordOf(error: unknown): string {
  if (error instanceof BackupProblem) return error.word
  if (error instanceof StorageFull) return 'ENOSPC'
  const { code, name } = error as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : String(name ?? 'Error')
}
