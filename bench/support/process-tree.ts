import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Totals of a process and all its descendants, ended ones included. `residentBytes` is the current memory. */
export type TreeUsage = { cpuSeconds: number; writtenBytes: number; residentBytes: number }

const ticksPerSecond = 100
const quietShare = 0.1

/** Reads /proc. The kernel adds the usage of ended children to the parent that reaps them. */
export function readTree(pid: number): TreeUsage {
  const all = processesOf(pid).map(readProcess)
  const sum = (value: (one: ProcessUsage) => number) => all.reduce((total, one) => total + value(one), 0)
  return {
    cpuSeconds: sum((one) => one.cpuSeconds),
    writtenBytes: sum((one) => one.writtenBytes),
    // Processes share the pages of executable files, so these pages count once.
    residentBytes: sum((one) => one.ownBytes) + Math.max(0, ...all.map((one) => one.fileBytes)),
  }
}

const processesOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(processesOf)]

/** Samples the memory every 150 ms and returns a function that stops and returns the peak in bytes. */
export function watchMemory(pid: number): () => number {
  let peak = 0
  const sample = () => {
    peak = Math.max(peak, readTree(pid).residentBytes)
  }
  const timer = setInterval(sample, 150)
  return () => {
    clearInterval(timer)
    sample()
    return peak
  }
}

/** Watches the children of a process, and returns a function that stops and returns the largest peak of one in bytes. */
export function watchLargestChild(pid: number): () => number {
  let peak = 0
  const timer = setInterval(() => {
    const [, ...others] = processesOf(pid)
    for (const one of others) {
      const kilobytes = /^VmHWM:\s*(\d+) kB/m.exec(readIfExists(`/proc/${one}/status`))?.[1]
      peak = Math.max(peak, Number(kilobytes ?? 0) * 1024)
    }
  }, 20)
  return () => {
    clearInterval(timer)
    return peak
  }
}

/**
 * Returns the proportional memory of a process and all its descendants in bytes: a page that n processes share counts
 * 1/n for each. The benchmark shares the pages of the Node program with the service.
 */
export function readProportionalBytes(pid: number): number {
  const read = (one: number) => Number(/^Pss:\s*(\d+) kB/m.exec(readIfExists(`/proc/${one}/smaps_rollup`))?.[1] ?? 0)
  return processesOf(pid).reduce((total, one) => total + read(one) * 1024, 0)
}

/** Waits until the tree uses less than a tenth of a core for 200 ms, for at most 10 s. */
export async function waitUntilQuiet(pid: number): Promise<void> {
  const end = performance.now() + 10_000
  let before = readTree(pid).cpuSeconds
  while (performance.now() < end) {
    await sleep(200)
    const now = readTree(pid).cpuSeconds
    if (now - before <= 0.2 * quietShare) return
    before = now
  }
}

/** CPU time of the main thread of a process in milliseconds, exact to microseconds. */
export const readMainThreadMs = (pid: number): number =>
  Number(readIfExists(`/proc/${pid}/task/${pid}/schedstat`).split(' ')[0]) / 1e6

type ProcessUsage = { cpuSeconds: number; writtenBytes: number; ownBytes: number; fileBytes: number }

function readProcess(pid: number): ProcessUsage {
  const stat = readIfExists(`/proc/${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0)
  const written = /^write_bytes: (\d+)/m.exec(readIfExists(`/proc/${pid}/io`))?.[1]
  const status = readIfExists(`/proc/${pid}/status`)
  const resident = (kind: string) => Number(new RegExp(`^Rss${kind}:\\s*(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024
  return {
    cpuSeconds: ticks / ticksPerSecond,
    writtenBytes: Number(written ?? 0),
    ownBytes: resident('Anon') + resident('Shmem'),
    fileBytes: resident('File'),
  }
}

function childrenOf(pid: number): number[] {
  const lists = threadsOf(pid).map((thread) => readIfExists(`/proc/${pid}/task/${thread}/children`))
  return lists.join(' ').split(' ').filter(Boolean).map(Number)
}

function threadsOf(pid: number): string[] {
  return ignoreEnded(() => readdirSync(`/proc/${pid}/task`), [])
}

function readIfExists(path: string): string {
  return ignoreEnded(() => readFileSync(path, 'utf8'), '')
}

function ignoreEnded<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ESRCH') return otherwise
    throw error
  }
}
