import { statfs } from 'node:fs/promises'
import { type DiskSpace, type SpaceUser, StorageFull } from './storage.ts'

const gibibyte = 2 ** 30
/** What stays free: the smaller of the two. Guests stop earlier, so that operators can go on working. */
const reserves: Record<SpaceUser, { bytes: number; share: number }> = {
  operator: { bytes: gibibyte, share: 0.02 },
  guest: { bytes: 3 * gibibyte, share: 0.06 },
}
const refreshAfterMs = 1000

const reserveFor = (user: SpaceUser, totalBytes: number): number =>
  Math.min(reserves[user].bytes, Math.floor(totalBytes * reserves[user].share))

/** Tracks how much of a disk may still be filled. */
export function createSpaceTracker(path: string) {
  let freeBytes = 0
  let totalBytes = 0
  let refreshedAt = Number.NEGATIVE_INFINITY
  let refreshing: Promise<void> | null = null

  async function space(): Promise<DiskSpace> {
    const { bavail, blocks, bsize } = await statfs(path)
    const total = blocks * bsize
    return {
      freeBytes: bavail * bsize,
      totalBytes: total,
      reservedBytes: reserveFor('operator', total),
      reservedFromGuestsBytes: reserveFor('guest', total),
    }
  }

  async function refresh(): Promise<void> {
    const current = await space()
    freeBytes = current.freeBytes
    totalBytes = current.totalBytes
    refreshedAt = performance.now()
  }

  /**
   * Reads the disk at most once a second; in between, taken bytes are subtracted. `onlyCheck`: takes nothing, for bytes
   * that are announced but may never arrive. Throws StorageFull.
   */
  async function reserve(bytes: number, user: SpaceUser = 'operator', { onlyCheck = false } = {}): Promise<void> {
    if (performance.now() - refreshedAt > refreshAfterMs) {
      refreshing ??= refresh().finally(() => {
        refreshing = null
      })
      await refreshing
    }
    if (bytes > freeBytes - reserveFor(user, totalBytes)) throw new StorageFull()
    if (!onlyCheck) freeBytes -= bytes
  }

  return { reserve, space }
}
