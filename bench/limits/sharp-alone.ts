/**
 * sharp alone, to compare the creation of thumbnails with: two files at a time, without fsync. Usage: sharp-alone.ts
 * COUNT FOLDER PICTURE…; prints {"photosPerSecond", "cpuSecondsPerPhoto"}.
 */
import sharp from 'sharp'

const [count = '1', folder = '.', ...pictures] = process.argv.slice(2)
let next = 0

sharp.concurrency(1)
sharp.cache(false)
await makeThumbnails(2)
next = 0
const begin = performance.now()
const cpu = process.cpuUsage()
await Promise.all([makeThumbnails(Number(count)), makeThumbnails(Number(count))])
const used = process.cpuUsage(cpu)
const photosPerSecond = Number(count) / ((performance.now() - begin) / 1000)
console.log(JSON.stringify({ photosPerSecond, cpuSecondsPerPhoto: (used.user + used.system) / 1e6 / Number(count) }))

async function makeThumbnails(end: number): Promise<void> {
  while (next < end) {
    const index = next++
    await sharp(pictures[index % pictures.length] ?? '')
      .autoOrient()
      .resize(480, 480, { fit: 'inside', withoutEnlargement: true })
      .jpeg({ quality: 80 })
      .toFile(`${folder}/${index}.jpg`)
  }
}
