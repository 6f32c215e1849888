import { ConfigProblems } from '../config.ts'

/** Throws ConfigProblems when the database has migrations that this version does not know. */
export function assertSchemaVersion(done: readonly string[], known: readonly string[]): void {
  const unknown = done.filter((name) => !known.includes(name)).sort()
  if (unknown.length === 0) return
  throw new ConfigProblems([
    `The database was changed by a newer version of Proofroom (${unknown.at(-1)}): start that one, or restore a backup of this one`,
  ])
}
