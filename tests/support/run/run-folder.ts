import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Creates the folder for temporary files of a run and sets TMPDIR, which child processes inherit. The returned function
 * removes the folder.
 */
export default async function createRunFolder(): Promise<() => Promise<void>> {
  const before = process.env.TMPDIR
  const folder = await mkdtemp(join(before ?? (await fastestFolder()), 'proofroom-run-'))
  // PostgreSQL can run as another user, who must be able to enter this folder.
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

/** A run creates thousands of small databases that need not survive a crash, so it uses memory if enough is free. */
async function fastestFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(inMemory).catch(() => ({ bavail: 0, bsize: 0 }))
  return Math.min(bavail * bsize, freemem()) >= neededBytes ? inMemory : tmpdir()
}
