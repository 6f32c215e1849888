import { statfs } from 'node:fs/promises'
import { type DiskSpace, StorageFull } from './storage.ts'

const alwaysFreeBytes = 2 ** 30
const alwaysFreeShare = 0.02
const refreshAfterMs = 1000

/** Tracks how much of a disk may still be filled. 1 GiB or 2 % of the disk, whichever is less, stays free. */
export function createSpaceTracker(path: string) {
  let spareBytes = 0
  let refreshedAt = Number.NEGATIVE_INFINITY
  let refreshing: Promise<void> | null = null

  async function space(): Promise<DiskSpace> {
    const { bavail, blocks, bsize } = await statfs(path)
    const totalBytes = blocks * bsize
    return {
      freeBytes: bavail * bsize,
      totalBytes,
      reservedBytes: Math.min(alwaysFreeBytes, Math.floor(totalBytes * alwaysFreeShare)),
    }
  }

  async function refresh(): Promise<void> {
    const { freeBytes, reservedBytes } = await space()
    spareBytes = freeBytes - reservedBytes
    refreshedAt = performance.now()
  }

  /** Checks the disk at most once a second; between two checks, granted bytes are subtracted. Throws StorageFull. */
  async function reserve(bytes: number): Promise<void> {
    if (performance.now() - refreshedAt > refreshAfterMs) {
      refreshing ??= refresh().finally(() => {
        refreshing = null
      })
      await refreshing
    }
    if (bytes > spareBytes) throw new StorageFull()
    spareBytes -= bytes
  }

  return { reserve, space }
}
