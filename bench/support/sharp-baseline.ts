import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { spawnNode } from './children.ts'

/** `thumbnailBytes` is the average size of the thumbnails on disk, each rounded up to whole pages of 4,096 bytes. */
export type SharpBaseline = { photosPerSecond: number; cpuSecondsPerPhoto: number; thumbnailBytes: number }

const pageBytes = 4096

export async function runSharpBaseline(
  folder: string,
  files: readonly string[],
  count: number,
): Promise<SharpBaseline> {
  await mkdir(folder, { recursive: true })
  const limit = join(import.meta.dirname, '../limits/sharp-alone.ts')
  const child = spawnNode([limit, String(count), folder, ...files], { stdio: ['ignore', 'pipe', 'inherit'] })
  const printed = Buffer.concat((await child.stdout?.toArray()) ?? []).toString()
  const thumbnails = await Promise.all((await readdir(folder)).map((name) => stat(join(folder, name))))
  const bytesOnDisk = thumbnails.reduce((sum, { size }) => sum + Math.ceil(size / pageBytes) * pageBytes, 0)
  return { ...JSON.parse(printed), thumbnailBytes: bytesOnDisk / thumbnails.length }
}
