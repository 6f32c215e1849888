import { execFile } from 'node:child_process'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')
const kept = join(root, 'node_modules/.cache/service')

/** Compiles the service before the first test: on fresh data each start would spend three seconds of a processor on it. */
export default async function compileOnce(): Promise<void> {
  const env = { PATH: process.env.PATH, DATA_DIR: kept }
  await promisify(execFile)(process.execPath, ['bin/proofroom.js', 'check-config'], { cwd: root, env })
}

/** Has what is started on this data find what was compiled before. */
export async function shareCompiled(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await symlink(join(kept, 'compile-cache'), join(dataDir, 'compile-cache')).catch(unlessThere)
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
