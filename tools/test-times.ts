/** `npm run test:times`: prints the times of the last test run by file and by cause. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export type Cost = { count: number; ms: number }

export type FileTimes = {
  /** Processor time of the test process, threads included. */
  ownCpuMs: number
  childCpuMs: number
  costs: Record<string, Cost>
}

export type RunTimes = {
  wallMs: number
  files: Array<{ file: string; project: string; tests: number; wallMs: number } & FileTimes>
}

export const timesFile = fileURLToPath(new URL('../node_modules/.cache/test-times.json', import.meta.url))

const shownFiles = 40

const seconds = (ms: number): number => Math.round(ms / 100) / 10
const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)

if (import.meta.main) print(readTimes())

function print({ wallMs, files }: RunTimes): void {
  const rows = files.map((file) => {
    const cpuMs = file.ownCpuMs + file.childCpuMs
    // An approximation: threads may work while another part of the file waits.
    return { ...file, cpuMs, waitingMs: Math.max(0, file.wallMs - cpuMs) }
  })

  console.log(
    `${seconds(wallMs)} s for ${files.length} files and ${sum(rows.map(({ tests }) => tests))} tests: ` +
      `${seconds(sum(rows.map(({ ownCpuMs }) => ownCpuMs)))} s of processor in the processes of the tests, ` +
      `${seconds(sum(rows.map(({ childCpuMs }) => childCpuMs)))} s in their children, ` +
      `${seconds(sum(rows.map(({ waitingMs }) => waitingMs)))} s of waiting, in several processes at once`,
  )

  console.log('\nBy cause, from start to end; causes may overlap:')
  console.table(
    Object.entries(sumByCause(rows.map(({ costs }) => costs)))
      .sort(([, a], [, b]) => b.ms - a.ms)
      .map(([cause, { count, ms }]) => ({
        cause,
        count,
        seconds: seconds(ms),
        'ms each': Math.round((ms / count) * 10) / 10,
      })),
  )

  console.log(`\nThe ${shownFiles} files that use the most CPU time, in seconds:`)
  console.table(
    rows
      .sort((a, b) => b.cpuMs - a.cpuMs)
      .slice(0, shownFiles)
      .map(({ file, project, tests, wallMs, ownCpuMs, childCpuMs, waitingMs, costs }) => ({
        file: project ? `${file} (${project})` : file,
        tests,
        wall: seconds(wallMs),
        own: seconds(ownCpuMs),
        children: seconds(childCpuMs),
        waiting: seconds(waitingMs),
        services: costs['service start']?.count ?? 0,
        requests: (costs['HTTP request']?.count ?? 0) + (costs['S3 request']?.count ?? 0),
      })),
  )
}

function readTimes(): RunTimes {
  try {
    return JSON.parse(readFileSync(timesFile, 'utf8'))
  } catch {
    console.error('No test times are recorded yet. Run npm test first.')
    process.exit(1)
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
