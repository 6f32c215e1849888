import { readFileSync } from 'node:fs'

export const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** Returns the commit that the server was built from; null where it was built without git, or was not built. */
export function readCommit(): string | null {
  try {
    return readFileSync(new URL('../built/commit', import.meta.url), 'utf8') || null
  } catch {
    return null
  }
}
