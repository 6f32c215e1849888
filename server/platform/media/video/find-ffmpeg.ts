import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** The libavcodec of FFmpeg 5.1. Names of versions differ between distributions; this number does not. */
const oldestCodecs = [59, 37] as const

const found = new Map<string, Promise<boolean>>()

/** Returns the path if the program runs and is FFmpeg 5.1 or newer, otherwise null. Runs it once per process. */
export async function findFfmpeg(path: string | null): Promise<string | null> {
  if (path === null) return null
  const checking = found.get(path) ?? isRecent(path)
  found.set(path, checking)
  if (await checking) return path
  // It may be installed while the service runs.
  found.delete(path)
  return null
}

async function isRecent(path: string): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)(path, ['-version'], { timeout: 10_000, maxBuffer: 2 ** 16, env: {} })
    const [, major = 0, minor = 0] = /^libavcodec +(\d+)\. *(\d+)/m.exec(stdout)?.map(Number) ?? []
    return major > oldestCodecs[0] || (major === oldestCodecs[0] && minor >= oldestCodecs[1])
  } catch {
    return false
  }
}
