import { execFile } from 'node:child_process'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../../..')
const cacheFolder = join(root, 'node_modules/.cache/service')

/** Fills the compile cache. Without it, each start on an empty data folder compiles all modules. */
export default async function compileOnce(): Promise<void> {
  const env = { PATH: process.env.PATH, DATA_DIR: cacheFolder }
  await promisify(execFile)(process.execPath, ['bin/proofroom.js', 'check-config'], { cwd: root, env })
}

export async function linkCompileCache(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await symlink(join(cacheFolder, 'compile-cache'), join(dataDir, 'compile-cache')).catch(ignoreExisting)
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
