import { randomBytes } from 'node:crypto'
import { existsSync, rmSync, statfsSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { SqliteError } from './sqlite-thread-client.ts'

const mebibyte = 2 ** 20
const maxReserveBytes = 64 * mebibyte
/** What uploads of operators leave free, so that they cannot use what is released. */
const maxShareOfDisk = 0.02

export type DiskReserve = ReturnType<typeof createDiskReserve>

/**
 * A file in the folder of the database that keeps space. It is deleted when the disk is full, so that operators can
 * still sign in, hide and delete. `maxBytes` 0: keeps no space.
 */
export function createDiskReserve(folder: string, maxBytes = maxReserveBytes) {
  const file = join(folder, 'reserve')
  let isInUse = false

  function readSpace(): { freeBytes: number; reserveBytes: number } {
    const { bavail, blocks, bsize } = statfsSync(folder)
    return { freeBytes: bavail * bsize, reserveBytes: Math.min(maxBytes, Math.floor(blocks * bsize * maxShareOfDisk)) }
  }

  /** Returns whether there was a reserve to release. */
  function release(): boolean {
    if (!existsSync(file)) return false
    rmSync(file, { force: true })
    isInUse = true
    return true
  }

  return {
    release,
    isInUse: (): boolean => isInUse,

    /** Releases the reserve when less is free than a fourth of it. Takes microseconds. */
    releaseIfScarce(): void {
      const { freeBytes, reserveBytes } = readSpace()
      if (freeBytes < reserveBytes / 4) release()
    },

    /** Makes the file complete if twice its size is free; otherwise the reserve stays in use. */
    async refill(): Promise<void> {
      const { freeBytes, reserveBytes } = readSpace()
      const presentBytes = await stat(file).then(
        ({ size }) => size,
        () => 0,
      )
      if (presentBytes < reserveBytes && freeBytes > 2 * reserveBytes) await fill(file, reserveBytes - presentBytes)
      isInUse = reserveBytes > 0 && !existsSync(file)
    },
  }
}

/** Writes random bytes, because some file systems store no zeros. If the disk becomes full, there is no reserve. */
async function fill(file: string, bytes: number): Promise<void> {
  const block = randomBytes(Math.min(mebibyte, bytes))
  const handle = await open(file, 'a', 0o600)
  try {
    for (let left = bytes; left > 0; left -= block.length) await handle.write(block, 0, Math.min(left, block.length))
  } catch (error) {
    rmSync(file, { force: true })
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    await handle.close()
  }
}

/** The disk was full, and the reserve has been released since: the work can be repeated. */
class ReserveReleased extends SqliteError {}

/** Runs `work`, and once more if it failed because the disk was full and the reserve was released. */
export async function repeatWithReserve<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ReserveReleased)) throw error
    return work()
  }
}

/** Returns the error for an error of SQLite. Releases the reserve if the disk is full. */
export function releaseForError(
  { message, code }: { message: string; code: string | undefined },
  reserve: Pick<DiskReserve, 'release'> | null,
): SqliteError {
  // The second code: the shared memory file of the write-ahead log cannot grow.
  const isFull = code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_SHMSIZE'
  return isFull && reserve?.release() ? new ReserveReleased(message, code) : new SqliteError(message, code)
}
