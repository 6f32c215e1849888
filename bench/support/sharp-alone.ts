import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { spawnNode } from './children.ts'

/** What sharp alone makes of the pictures, and the bytes on disk that one thumbnail takes. */
export type SharpAlone = { photosPerSecond: number; cpuSecondsPerPhoto: number; thumbnailBytes: number }

const pageBytes = 4096

/** Runs `bench/limits/sharp-alone.ts` over `count` pictures; the thumbnails stay in the folder. */
export async function sharpAlone(folder: string, files: readonly string[], count: number): Promise<SharpAlone> {
  await mkdir(folder, { recursive: true })
  const limit = join(import.meta.dirname, '../limits/sharp-alone.ts')
  const child = spawnNode([limit, String(count), folder, ...files], { stdio: ['ignore', 'pipe', 'inherit'] })
  const printed = Buffer.concat((await child.stdout?.toArray()) ?? []).toString()
  const thumbnails = await Promise.all((await readdir(folder)).map((name) => stat(join(folder, name))))
  const bytesOnDisk = thumbnails.reduce((sum, { size }) => sum + Math.ceil(size / pageBytes) * pageBytes, 0)
  return { ...JSON.parse(printed), thumbnailBytes: bytesOnDisk / thumbnails.length }
}
