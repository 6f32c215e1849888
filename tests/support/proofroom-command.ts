import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { backEndsOf } from './back-ends.ts'
import { shareCompiled } from './compiled-once.ts'
import type { TestService } from './test-service.ts'

type Output = { stdout: string; stderr: string }

export async function proofroom(
  { dataDir }: TestService,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Output> {
  await shareCompiled(dataDir)
  return promisify(execFile)(process.execPath, ['bin/proofroom.js', ...args], {
    cwd: join(import.meta.dirname, '../..'),
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, ...(await backEndsOf(dataDir)), ...environment },
  })
}
