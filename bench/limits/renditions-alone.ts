/**
 * Measures sharp alone, to compare rendition warming with: one file at a time, all widths as WebP from one decode.
 * Usage: renditions-alone.ts COUNT FOLDER PICTURE…; prints {"photosPerSecond"}.
 */
import sharp from 'sharp'

const [count = '1', folder = '.', ...pictures] = process.argv.slice(2)
const widths = [1920, 1280, 640]
let next = 0

sharp.concurrency(1)
sharp.cache(false)
await makeLadders(1)
next = 0
const begin = performance.now()
await makeLadders(Number(count))
console.log(JSON.stringify({ photosPerSecond: Number(count) / ((performance.now() - begin) / 1000) }))

async function makeLadders(end: number): Promise<void> {
  while (next < end) {
    const index = next++
    const { data, info } = await sharp(pictures[index % pictures.length] ?? '')
      .autoOrient()
      .resize(widths[0])
      .raw()
      .toBuffer({ resolveWithObject: true })
    const { width, height, channels } = info
    for (const step of widths) {
      await sharp(data, { raw: { width, height, channels } })
        .resize(step)
        .webp({ quality: 80, effort: step >= 1_600 ? 1 : 2 })
        .toFile(`${folder}/${index}_${step}.webp`)
    }
  }
}
