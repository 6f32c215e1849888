import { existsSync } from 'node:fs'
import { access, constants, mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { withTimeout } from '../background/with-timeout.ts'
import { ConfigProblems } from '../configuration/config.ts'
import { seconds } from '../time/clock.ts'
import { formatCreateFolder, formatGiveFolder } from './owner-lines.ts'

const maxWaitMs = seconds(10)

/**
 * Creates `DATA_DIR` and the folders below it in which files are staged. Throws ConfigProblems, with the path, for a
 * folder that cannot be created, read and written, or that does not respond within ten seconds.
 */
export async function prepareDataFolder(dataDir: string): Promise<void> {
  for (const path of [dataDir, join(dataDir, 'media'), join(dataDir, 'media/staging')]) {
    await withTimeout(prepareFolder(path), maxWaitMs).catch((error: NodeJS.ErrnoException) => {
      const reason = error.code ?? 'it does not respond'
      const fix = reason === 'EACCES' ? `. ${describeFolderFix(dataDir)}` : ''
      throw new ConfigProblems([`DATA_DIR is not a writable folder: ${path} (${reason})${fix}`])
    })
  }
}

/**
 * Returns what to do if this user cannot write to the folder. The line changes the owner of the folder only, because it
 * may have files of others if DATA_DIR is wrong.
 */
export function describeFolderFix(dataDir: string): string {
  const line = existsSync(dataDir) ? formatGiveFolder(dataDir, { recursive: false }) : formatCreateFolder(dataDir)
  return `Set DATA_DIR to the folder of the service, or give it to this user: ${line}`
}

async function prepareFolder(path: string): Promise<void> {
  await makeFolder(path)
  if (!(await stat(path)).isDirectory()) throw Object.assign(new Error('Not a folder'), { code: 'ENOTDIR' })
  await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
}

/** Creates a folder and its parents. `mkdir` with `recursive` never returns in some folders of `/proc`. */
async function makeFolder(path: string): Promise<void> {
  if (!existsSync(dirname(path))) await makeFolder(dirname(path))
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}
