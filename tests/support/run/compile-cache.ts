import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { version } from '../../../server/platform/version.ts'

const root = join(import.meta.dirname, '../../..')
const cacheFolder = join(root, 'node_modules/.cache/service')

/** Fills the compile cache as `bin/start.js` does. Without it, each start on an empty folder compiles all modules. */
export default async function compileOnce(): Promise<void> {
  const cache = join(cacheFolder, 'compile-cache', version)
  await mkdir(cache, { recursive: true })
  const built = 'server/built/warm-up.js'
  const program = existsSync(join(root, built)) ? built : 'server/warm-up.ts'
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: cache, UV_THREADPOOL_SIZE: '12' }
  await promisify(execFile)(process.execPath, ['--heap-growing-percent=100', program], { cwd: root, env })
}

export async function linkCompileCache(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await symlink(join(cacheFolder, 'compile-cache'), join(dataDir, 'compile-cache')).catch(ignoreExisting)
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
