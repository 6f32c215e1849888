import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ContextOverrides } from '../../../server/create-app-context.ts'
import { StorageFull } from '../../../server/platform/storage/storage.ts'

export type SmallDisk = {
  environment: Record<string, string>
  edges: ContextOverrides
  /** Leaves this share of the disk free. */
  fill: (freeShare: number) => Promise<void>
  remove: () => Promise<void>
}

/** Returns a file system in memory. Without the right to mount one, returns a storage that reports a small disk. */
export async function createSmallDisk(megabytes: number): Promise<SmallDisk> {
  const dataDir = await mkdtemp(join(tmpdir(), 'proofroom-small-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', dataDir])
  if (status === 0) return mountedDisk(dataDir)
  await rm(dataDir, { recursive: true })
  return simulateSmallDisk(megabytes)
}

const mountedDisk = (dataDir: string): SmallDisk => ({
  environment: { DATA_DIR: dataDir },
  edges: {},
  fill: async (freeShare) => {
    const { bavail, blocks, bsize } = await statfs(dataDir)
    const bytes = Math.floor(bavail * bsize - blocks * bsize * freeShare)
    await writeFile(join(dataDir, `filler-${Date.now()}`), Buffer.alloc(Math.max(0, bytes)))
  },
  remove: async () => {
    execFileSync('umount', ['-l', dataDir])
    await rm(dataDir, { recursive: true })
  },
})

function simulateSmallDisk(megabytes: number): SmallDisk {
  const totalBytes = megabytes * 2 ** 20
  let freeBytes = totalBytes
  const reserved = { operator: totalBytes * 0.02, guest: totalBytes * 0.06 }
  return {
    environment: {},
    edges: {
      wrapStorage: (storage) => ({
        ...storage,
        async ensureSpaceFor(bytes, user = 'operator') {
          if (bytes > freeBytes - reserved[user]) throw new StorageFull()
          freeBytes -= bytes
        },
        space: async () => ({
          freeBytes,
          totalBytes,
          reservedBytes: reserved.operator,
          reservedFromGuestsBytes: reserved.guest,
          isUnlimited: false,
        }),
      }),
    },
    fill: async (freeShare) => {
      freeBytes = totalBytes * freeShare
    },
    remove: async () => undefined,
  }
}
