import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import type { ClientRequest } from 'node:http'
import { afterAll } from 'vitest'
import type { FileTimes } from '../../../../tools/test-times.ts'
import { addCost, takeCosts } from './counters.ts'

declare module 'vitest' {
  interface TaskMeta {
    times?: FileTimes
  }
}

/** `sysconf(_SC_CLK_TCK)` of Linux: the unit of the times in /proc. */
const ticksPerSecond = 100

const imagePrograms = /image-worker\.ts|video-worker\.ts|ffmpeg/
const store = process.env.TEST_S3_ENDPOINT && new URL(process.env.TEST_S3_ENDPOINT).host
const subscribed = Symbol.for('proofroom.tests.times')

subscribeOnce()
takeCosts()
const own = process.cpuUsage()
const children = childCpuMs()

// Vitest runs `afterAll` hooks in reverse order. A setup file registers its hooks first, so this hook runs last.
// biome-ignore lint/correctness/noEmptyPattern: Vitest takes no other first argument
afterAll(({}, file) => {
  const { user, system } = process.cpuUsage(own)
  file.meta.times = {
    ownCpuMs: (user + system) / 1000,
    childCpuMs: childCpuMs() - children,
    costs: takeCosts(),
  }
})

/**
 * Counts the requests and processes that Node reports. Subscribes once per process, because a process runs several
 * files.
 */
function subscribeOnce(): void {
  const known = globalThis as { [subscribed]?: true }
  if (known[subscribed]) return
  known[subscribed] = true
  const startedAt = new WeakMap<object, number>()

  subscribe('undici:request:create', (message) => start((message as { request: object }).request))
  subscribe('undici:request:trailers', (message) => end('HTTP request', (message as { request: object }).request))
  subscribe('http.client.request.start', (message) => start((message as { request: object }).request))
  subscribe('http.client.response.finish', (message) => {
    const { request } = message as { request: ClientRequest }
    end(isStore(request) ? 'S3 request' : 'HTTP request', request)
  })
  subscribe('child_process', (message) => {
    const child = (message as { process: ChildProcess }).process
    start(child)
    child.once('exit', () =>
      end(imagePrograms.test(child.spawnargs.join(' ')) ? 'image or video process' : 'other process', child),
    )
  })

  function start(what: object): void {
    startedAt.set(what, performance.now())
  }
  function end(cause: Parameters<typeof addCost>[0], what: object): void {
    const at = startedAt.get(what)
    if (at !== undefined) addCost(cause, performance.now() - at)
  }
}

const isStore = (request: ClientRequest): boolean => request.getHeader('host') === store

/** CPU time of running and ended child processes in milliseconds. 0 where the system has no /proc. */
function childCpuMs(): number {
  try {
    const running = readFileSync('/proc/thread-self/children', 'utf8').trim().split(' ').filter(Boolean)
    const ofRunning = running.map((pid) => cpuTicks(pid).reduce((sum, ticks) => sum + ticks, 0))
    const [, , userOfEnded = 0, systemOfEnded = 0] = cpuTicks('self')
    const ticks = userOfEnded + systemOfEnded + ofRunning.reduce((sum, one) => sum + one, 0)
    return (ticks * 1000) / ticksPerSecond
  } catch {
    return 0
  }
}

/** Returns user and system time of a process, then of its ended children, in clock ticks. */
function cpuTicks(pid: string): number[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [, fields = ''] = /\) (.*)$/s.exec(stat) ?? []
  return fields.split(' ').slice(11, 15).map(Number)
}
