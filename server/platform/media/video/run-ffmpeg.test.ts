import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createScriptedFfmpeg } from '../../../../tests/support/media/videos.ts'
import { linux, requireOrSkip } from '../../../../tests/support/run/requirements.ts'
import { temporaryFolder } from '../../../../tests/support/run/temporary-folder.ts'
import { FfmpegMissing, runFfmpeg } from './run-ffmpeg.ts'

const limits = { wallSeconds: 10, cpuSeconds: 7, memoryBytes: 2 ** 29, fileBytes: 2 ** 20 }

async function createLimits() {
  const scratchRoot = join(await temporaryFolder(), 'staging')
  await mkdir(scratchRoot)
  return { limits, scratchRoot, signal: new AbortController().signal }
}

test('runs with limits, without secrets, and in its own folder', async ({ skip }) => {
  requireOrSkip(skip, [linux])
  const seen = join(await temporaryFolder(), 'seen')
  const script = `until [ "$(nice)" = 19 ]; do :; done; { ulimit -t; ulimit -v; ulimit -f; ulimit -c; pwd; ls -A; cat /proc/self/oom_score_adj; nice; env | grep -v '^\\(PWD\\|_\\|OLDPWD\\|SHLVL\\)='; } > '${seen}'`
  const limited = await createLimits()
  const { outcome, report } = await runFfmpeg(await createScriptedFfmpeg(script), [], limited)
  expect(report).toBe('')
  expect(outcome).toBe('failed')
  const [cpu, memory, file, core, folder = '', first, nice, ...rest] = (await readFile(seen, 'utf8')).trim().split('\n')
  expect([cpu, memory, file, core]).toEqual(['7', String(2 ** 19), String(2 ** 11), '0'])
  expect(folder.startsWith(join(limited.scratchRoot, 'ffmpeg-'))).toBe(true)
  expect([first, nice, rest]).toEqual(['1000', '19', []])
  expect(await readdir(limited.scratchRoot)).toEqual([])
})

test('limits its output to the start and the end, and leaves out long lines', async () => {
  const script =
    'echo first >&2; yes n: 1 pts: | head -n 100000 >&2; yes n: 1 pts: | head -n 10000 | tr "\\n" " " >&2; echo >&2; echo last >&2'
  const { outcome, report } = await runFfmpeg(await createScriptedFfmpeg(script), [], await createLimits())
  expect(outcome).toBe('done')
  expect(report.length).toBeLessThan(400_000)
  expect([report.slice(0, 6), report.slice(-5)]).toEqual(['first\n', 'last\n'])
  expect(Math.max(...report.split('\n').map((line) => line.length))).toBe(9)
})

test('stops what takes too long or is aborted', async () => {
  const sleeping = await createScriptedFfmpeg('sleep 60')
  const limited = await createLimits()
  const late = await runFfmpeg(sleeping, [], { ...limited, limits: { ...limits, wallSeconds: 0.2 } })
  expect(late.outcome).toBe('stopped')
  const ending = new AbortController()
  const begun = join(await temporaryFolder(), 'begun')
  const running = runFfmpeg(await createScriptedFfmpeg(`: > '${begun}'; sleep 60`), [], {
    ...limited,
    signal: ending.signal,
  })
  await expect.poll(() => existsSync(begun)).toBe(true)
  ending.abort()
  expect((await running).outcome).toBe('stopped')
})

test('throws FfmpegMissing for a missing or non-executable program', async () => {
  await expect(runFfmpeg('/nowhere/ffmpeg', [], await createLimits())).rejects.toThrow(FfmpegMissing)
  await expect(runFfmpeg('/etc/hostname', [], await createLimits())).rejects.toThrow(FfmpegMissing)
})
