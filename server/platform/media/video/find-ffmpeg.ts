import { execFile } from 'node:child_process'
import { realpath } from 'node:fs/promises'
import { promisify } from 'node:util'
import { detectIsolation, isolateFfmpeg } from './isolation.ts'

/** The libavcodec of FFmpeg 5.1. Names of versions differ between distributions; this number does not. */
const oldestCodecs = [59, 37] as const

const found = new Map<string, Promise<string | null>>()

/**
 * Returns the path if the program runs where the video worker runs it, and is FFmpeg 5.1 or newer; otherwise null. A
 * link is resolved, because the sandbox contains only its target. Runs the program once per process.
 */
export async function findFfmpeg(path: string | null): Promise<string | null> {
  if (path === null) return null
  const checking = found.get(path) ?? findRecent(path)
  found.set(path, checking)
  const recent = await checking
  // It may be installed while the service runs.
  if (recent === null) found.delete(path)
  return recent
}

async function findRecent(path: string): Promise<string | null> {
  try {
    const target = (await detectIsolation()) === 'sandbox' ? await realpath(path) : path
    const [program = '', ...args] = await isolateFfmpeg(target, ['-version'])
    const { stdout } = await promisify(execFile)(program, args, { timeout: 10_000, maxBuffer: 2 ** 16, env: {} })
    const [, major = 0, minor = 0] = /^libavcodec +(\d+)\. *(\d+)/m.exec(stdout)?.map(Number) ?? []
    const isRecent = major > oldestCodecs[0] || (major === oldestCodecs[0] && minor >= oldestCodecs[1])
    return isRecent ? target : null
  } catch {
    return null
  }
}
