import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a folder for the temporary files of a run, which child processes inherit. Removes it after the run. */
export default async function createRunFolder(): Promise<() => Promise<void>> {
  const before = process.env.TMPDIR
  const folder = await mkdtemp(join(before ?? (await fastestFolder()), 'proofroom-run-'))
  // PostgreSQL runs as another user and has its own folder in it.
  await chmod(folder, 0o711)
  process.env.TMPDIR = folder
  return async () => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The in-memory file system of Linux. */
const inMemory = '/dev/shm'
const neededBytes = 8 * 2 ** 30

/** A run creates thousands of small databases and never stops the machine, so it uses memory where enough is free. */
async function fastestFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(inMemory).catch(() => ({ bavail: 0, bsize: 0 }))
  return Math.min(bavail * bsize, freemem()) >= neededBytes ? inMemory : tmpdir()
}
