import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Gives the run a folder for temporary files, which its processes inherit, and removes it with what they have left there. */
export default async function makeRunFolder(): Promise<() => Promise<void>> {
  const before = process.env.TMPDIR
  const folder = await mkdtemp(join(before ?? (await fastestFolder()), 'proofroom-run-'))
  // PostgreSQL runs as somebody else, and has a folder of its own in it.
  await chmod(folder, 0o711)
  process.env.TMPDIR = folder
  return async () => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The file system of Linux that lies in memory. */
const inMemory = '/dev/shm'
const neededBytes = 8 * 2 ** 30

/**
 * In memory where there is plenty of it: a run makes thousands of small databases, and waiting until a disk has written them
 * is a sixth of its time. Tests end processes, never the machine, so none depends on what a disk keeps.
 */
async function fastestFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(inMemory).catch(() => ({ bavail: 0, bsize: 0 }))
  return Math.min(bavail * bsize, freemem()) >= neededBytes ? inMemory : tmpdir()
}
