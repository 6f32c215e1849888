import { existsSync } from 'node:fs'
import { open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { linux, requireOrSkip } from '../../../../tests/support/run/requirements.ts'
import { temporaryFolder } from '../../../../tests/support/run/temporary-folder.ts'
import { type LimitedProgram, ProgramMissing, runLimited } from './run-limited.ts'

const limits = { wallSeconds: 10, cpuSeconds: 7, memoryBytes: 2 ** 29, fileBytes: 2 ** 20 }

/** Runs a script with the text `input`, and a file for descriptor 3. */
async function run(script: string, overrides: Partial<LimitedProgram> = {}) {
  const folder = await temporaryFolder()
  const [inputPath, outputPath] = [join(folder, 'input'), join(folder, 'output')]
  await writeFile(inputPath, 'input')
  await using input = await open(inputPath, 'r')
  await using output = await open(outputPath, 'w')
  const command = ['/bin/sh', '-c', script]
  const program = { command, limits, ...overrides }
  const signal = overrides.signal ?? new AbortController().signal
  const result = await runLimited({ ...program, input: input.fd, output: output.fd, signal })
  return { ...result, output: await readFile(outputPath, 'utf8') }
}

test('runs with limits and without secrets, reads its input and writes its output', async ({ skip }) => {
  requireOrSkip(skip, [linux])
  const seen = await run(
    `ulimit -t; ulimit -d; ulimit -f; ulimit -c; pwd; cat /proc/self/oom_score_adj; cat; cat <&0 >&3; echo made >&3
     env | grep -v '^\\(PWD\\|_\\|OLDPWD\\|SHLVL\\|GLIBC_TUNABLES\\)='`,
  )
  expect(seen.text.split('\n')).toEqual(['7', String(2 ** 19), String(2 ** 11), '0', '/', '1000', 'input'])
  expect(seen).toMatchObject({ output: 'made\n', errors: '' })
})

test('limits its outputs', async () => {
  const { outcome, text, errors } = await run('yes | head -c 100000; yes n | head -c 100000 >&2')
  expect(outcome).toBe('done')
  expect([text.length, errors.length]).toEqual([2 ** 16, 2 ** 16])
})

test('stops what takes too long or is aborted', async () => {
  const late = await run('sleep 60', { limits: { ...limits, wallSeconds: 0.2 } })
  expect(late.outcome).toBe('stopped')
  const ending = new AbortController()
  const begun = join(await temporaryFolder(), 'begun')
  const running = run(`: > '${begun}'; sleep 60`, { signal: ending.signal })
  await expect.poll(() => existsSync(begun)).toBe(true)
  ending.abort()
  expect((await running).outcome).toBe('stopped')
})

test('throws ProgramMissing for a missing or non-executable program', async () => {
  await expect(run('', { command: ['/nowhere/program'] })).rejects.toThrow(ProgramMissing)
  await expect(run('', { command: ['/etc/hostname'] })).rejects.toThrow(ProgramMissing)
})
