import { execFile } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')

/** Runs Vitest on one file with CI set and the reporter `ClosingLines`. Returns the exit code and the output. */
async function runInCi(tests: string) {
  const folder = await temporaryFolder()
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'a.test.ts'), `import { test } from 'vitest'\n${tests}`)
  const config = `import { ClosingLines } from '${root}/tests/support/run/closing-lines.ts'
    export default { test: { pool: 'threads', retry: 1, reporters: [new ClosingLines([])] } }`
  await writeFile(join(folder, 'vitest.config.mjs'), config)
  const env = { PATH: process.env.PATH, CI: 'true' }
  const program = join(root, 'node_modules/vitest/vitest.mjs')
  return new Promise<{ code: number | string | null; output: string }>((resolve) => {
    execFile(process.execPath, [program, 'run'], { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    )
  })
}

describe('a run of tests in CI', () => {
  const passing = "test('passes', () => {})"

  test('passes when every test has run', async () => {
    expect(await runInCi(passing)).toEqual({ code: 0, output: '1 passed, 0 failed\n' })
  })

  test('fails when a test was skipped, and names it', async () => {
    const { code, output } = await runInCi(`${passing}; test('is skipped', ({ skip }) => skip('tests that need tea'))`)
    expect(output).toBe(
      [
        'Not run here: tests that need tea',
        'In CI every test must run, and these were skipped:',
        '  a.test.ts > is skipped',
        '1 passed, 0 failed, 1 skipped\n',
      ].join('\n'),
    )
    expect(code).toBe(1)
  })

  test('names a test that passes only at its second try', async () => {
    const { code, output } = await runInCi("let runs = 0; test('is late', ({ expect }) => expect(++runs).toBe(2))")
    expect(output).toBe('Passed only at the second try:\n  a.test.ts > is late\n1 passed, 0 failed\n')
    expect(code).toBe(0)
  })

  test('fails when a test is marked as the only one', async () => {
    expect((await runInCi("test.only('runs alone', () => {})")).code).toBe(1)
  })
})
