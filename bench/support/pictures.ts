import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { noisyPicture } from '../../tools/sample-pictures.ts'

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
