import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { noisyPicture } from '../../tools/sample-pictures.ts'
import { bySize, type Plan } from './plan.ts'

/** 24 megapixels, except in the smallest plan. */
export function cameraSize(plan: Plan): { width: number; height: number } {
  const size = { width: 6000, height: 4000 }
  return bySize(plan, { full: size, quick: size, smallest: { width: 600, height: 400 } })
}

export async function makePictures(
  folder: string,
  size: { width: number; height: number },
  count: number,
): Promise<string[]> {
  const paths: string[] = []
  for (let seed = 1; seed <= count; seed++) {
    const path = join(folder, `${size.width}x${size.height}-${seed}.jpg`)
    await writeFile(path, await noisyPicture({ ...size, seed }))
    paths.push(path)
  }
  return paths
}
