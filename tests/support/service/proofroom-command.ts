import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { linkCompileCache } from '../run/compile-cache.ts'
import { prepareBackEnds } from './back-ends.ts'
import type { TestService } from './test-service.ts'

type Output = { stdout: string; stderr: string }

export async function runProofroom(
  { dataDir }: TestService,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Output> {
  await linkCompileCache(dataDir)
  return promisify(execFile)(process.execPath, ['bin/proofroom.js', ...args], {
    cwd: join(import.meta.dirname, '../../..'),
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, ...(await prepareBackEnds(dataDir)), ...environment },
  })
}
