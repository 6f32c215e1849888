/**
 * `npm run test:times`: prints the times of the last test run, by cause, and its slowest files. `--save` stores the
 * durations by which `tests/support/run/longest-first.ts` orders the files.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

export type Cost = { count: number; ms: number }

export type FileTimes = {
  /** Processor time of the test process, threads included. */
  ownCpuMs: number
  childCpuMs: number
  costs: Record<string, Cost>
}

export type RunTimes = {
  /** Such as `npm test`. */
  name: string
  wallMs: number
  files: Array<{ file: string; project: string; tests: number; wallMs: number } & FileTimes>
}

export const timesFile = (name: string): string =>
  fileURLToPath(new URL(`../node_modules/.cache/times/${name.replace(/\W+/g, '-')}.json`, import.meta.url))

const tiers = ['npm test', 'npm run test:full']
const durationsFile = fileURLToPath(new URL('../tests/support/run/durations.json', import.meta.url))
const shownFiles = 10

const seconds = (ms: number): number => Math.round(ms / 100) / 10
const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)

if (import.meta.main) {
  const { values } = parseArgs({ options: { save: { type: 'boolean', default: false } } })
  const runs = tiers.flatMap(readTimes)
  if (runs.length === 0) {
    console.error('No test times are recorded yet. Run npm test first.')
    process.exit(1)
  }
  runs.forEach(print)
  if (values.save) save(runs)
}

function print({ name, wallMs, files }: RunTimes): void {
  const rows = files.map((file) => ({ ...file, cpuMs: file.ownCpuMs + file.childCpuMs }))
  console.log(
    `\n${name}: ${seconds(wallMs)} s, ${seconds(sum(rows.map(({ cpuMs }) => cpuMs)))} s of processor, ` +
      `${files.length} files, ${sum(rows.map(({ tests }) => tests))} tests`,
  )
  console.table(
    Object.entries(sumByCause(rows.map(({ costs }) => costs)))
      .sort(([, a], [, b]) => b.ms - a.ms)
      .map(([cause, { count, ms }]) => ({ cause, count, seconds: seconds(ms) })),
  )
  console.table(
    rows
      .sort((a, b) => b.cpuMs - a.cpuMs)
      .slice(0, shownFiles)
      .map(({ file, project, tests, wallMs, cpuMs }) => ({
        file: project ? `${file} (${project})` : file,
        tests,
        wall: seconds(wallMs),
        processor: seconds(cpuMs),
      })),
  )
}

function save(runs: readonly RunTimes[]): void {
  const durations = new Map<string, number>()
  for (const { file, wallMs } of runs.flatMap(({ files }) => files))
    durations.set(file, Math.max(durations.get(file) ?? 0, Math.ceil(wallMs / 1000)))
  // Short files may run in any order.
  const long = [...durations].filter(([, duration]) => duration > 1).sort(([a], [b]) => a.localeCompare(b))
  writeFileSync(durationsFile, `${JSON.stringify(Object.fromEntries(long), null, 2)}\n`)
}

function readTimes(name: string): RunTimes[] {
  try {
    return [JSON.parse(readFileSync(timesFile(name), 'utf8'))]
  } catch {
    return []
  }
}

function sumByCause(all: ReadonlyArray<FileTimes['costs']>): Record<string, Cost> {
  const total: Record<string, Cost> = {}
  for (const [cause, { count, ms }] of all.flatMap((costs) => Object.entries(costs))) {
    const before = total[cause] ?? { count: 0, ms: 0 }
    total[cause] = { count: before.count + count, ms: before.ms + ms }
  }
  return total
}
