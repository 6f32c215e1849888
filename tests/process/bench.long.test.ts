import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'vitest'

const root = join(import.meta.dirname, '../..')

test('each measurement of the benchmark works, except that of the package', { timeout: 600_000 }, async () => {
  // Ends with the code 1 if something could not be measured.
  await promisify(execFile)(process.execPath, ['bench/bench.ts', '--smallest'], { cwd: root })
})
