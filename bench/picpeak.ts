/**
 * Moving a PicPeak installation in, compared with `cp -r` of its photos and sharp alone, which makes the same number of
 * thumbnails, two at a time. Neither hashes, syncs or writes rows. On a machine that does other work, compare the CPU time:
 * the image workers have a lower priority than sharp alone.
 */
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Figure, printTable } from './support/figures.ts'
import { measurePairs, medians, type Pair, ratios } from './support/pairs.ts'
import { makePicPeakInstallation, type PicPeakSize } from './support/picpeak-rows.ts'
import { makePictures } from './support/pictures.ts'
import type { Plan } from './support/plan.ts'
import { type ProgramTime, runProgram } from './support/run-program.ts'
import { runSharpBaseline } from './support/sharp-baseline.ts'

const pictureSize = { width: 1200, height: 800 }
/** So that 100,000 photos and their copies take 55 GB of disk. */
const largePictureSize = { width: 1000, height: 667 }
const pictureCount = 16
const root = join(import.meta.dirname, '..')

/** `both`: `cp`, then sharp. The service only has `both`. */
type Times = { copy: ProgramTime; thumbnails: ProgramTime; both: ProgramTime }

export const measurePicPeak = (plan: Plan): Promise<Figure[]> =>
  measureMove(plan, plan.quick ? { events: 20, photos: 1_000 } : { events: 200, photos: 10_000 }, plan.quick ? 3 : 5)

/** Once, because it takes a long time. */
export const measureLargePicPeak = (plan: Plan): Promise<Figure[]> =>
  measureMove(plan, { events: 200, photos: plan.quick ? 20_000 : 100_000 }, 1)

async function measureMove(plan: Plan, size: PicPeakSize, pairCount: number): Promise<Figure[]> {
  const folder = join(plan.workspace, 'picpeak')
  const pictures = await makePictures(plan.workspace, pairCount === 1 ? largePictureSize : pictureSize, pictureCount)
  const bytes = (await Promise.all(pictures.map((path) => stat(path)))).reduce((sum, one) => sum + one.size, 0)
  await makePicPeakInstallation(folder, pictures, size)
  console.log(
    `  ${size.events} events, ${size.photos} photos of ${(bytes / pictures.length / 1e3).toFixed(0)} kB on average`,
  )
  const limit = () => measureLimit(folder, pictures, size.photos)
  const service = () => importOnce(folder)
  const pairs: Pair<Times>[] =
    pairCount === 1
      ? [{ limit: await limit(), service: await service() }]
      : await measurePairs(pairCount, limit, service)
  await rm(folder, { recursive: true })
  return report(size, pairs)
}

async function measureLimit(folder: string, pictures: readonly string[], photos: number): Promise<Times> {
  const copied = join(folder, 'copied')
  const copy = await runProgram(['cp', '-r', join(folder, 'storage'), copied])
  await rm(copied, { recursive: true })
  const made = join(folder, 'thumbnails')
  const { photosPerSecond, cpuSecondsPerPhoto } = await runSharpBaseline(made, pictures, photos)
  await rm(made, { recursive: true })
  const thumbnails = { elapsed: photos / photosPerSecond, cpu: photos * cpuSecondsPerPhoto }
  const both = { elapsed: copy.elapsed + thumbnails.elapsed, cpu: copy.cpu + thumbnails.cpu }
  return { copy, thumbnails, both }
}

async function importOnce(folder: string): Promise<Times> {
  const dataDir = join(folder, 'moved')
  const program = [process.execPath, join(root, 'bin/proofroom.js'), 'import', 'picpeak', folder]
  const both = await runProgram(program, { DATA_DIR: dataDir })
  await rm(dataDir, { recursive: true })
  return { copy: both, thumbnails: both, both }
}

function report({ events, photos }: PicPeakSize, pairs: readonly Pair<Times>[]): Figure[] {
  const describe = (title: string, side: keyof Pair<Times>, part: keyof Times) => {
    const elapsed = medians(pairs, (times) => times[part].elapsed)[side]
    const cpu = medians(pairs, (times) => times[part].cpu)[side]
    return [title, elapsed.toFixed(1), (photos / elapsed).toFixed(0), ((cpu / photos) * 1000).toFixed(1)]
  }
  printTable([
    ['', 's', 'photos/s', 'CPU ms/photo'],
    describe('cp -r', 'limit', 'copy'),
    describe('sharp alone', 'limit', 'thumbnails'),
    describe('proofroom import', 'service', 'both'),
  ])
  const name = `picpeak: ${events} events, ${photos.toLocaleString('en')} photos`
  return [
    { name: `${name}, time / sharp alone`, unit: 'x', samples: ratios(pairs, (times) => times.thumbnails.elapsed) },
    { name: `${name}, time / cp, then sharp alone`, unit: 'x', samples: ratios(pairs, (times) => times.both.elapsed) },
    { name: `${name}, CPU / cp, then sharp alone`, unit: 'x', samples: ratios(pairs, (times) => times.both.cpu) },
  ]
}
