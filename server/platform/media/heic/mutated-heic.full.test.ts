import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import {
  auxiliaryItems,
  codedItem,
  colorsProperty,
  createHeic,
  cropProperty,
  exifItem,
  gridItems,
  mirrorProperty,
  phonePicture,
  turnProperty,
} from '../../../../tests/support/media/heic-files.ts'
import { createRandom, type Random } from '../../../../tests/support/media/random.ts'
import { temporaryFolder } from '../../../../tests/support/run/temporary-folder.ts'
import { createVideoStills, UnreadableHeic } from '../video/video-stills.ts'
import { createExif } from '../write-exif.ts'
import { RejectedHeic } from './heic-picture.ts'
import { readHeic } from './read-heic.ts'

const exif = exifItem(Buffer.concat([Buffer.from('Exif\0\0'), createExif({ Make: 'Camera' }, 6)]))
const grid = { columns: 2, rows: 2, width: 100, height: 110 }
const files: [name: string, bytes: Buffer][] = [
  ['a single item', createHeic([codedItem('full-601', turnProperty(1), mirrorProperty(0)), ...auxiliaryItems(), exif])],
  [
    'a grid',
    createHeic(gridItems(['tile-red', 'tile-lime', 'tile-blue', 'tile-white'], grid, cropProperty(9, 9, 0, 0))),
  ],
  ['long numbers', createHeic([codedItem('ten-bits-422', colorsProperty(9, 16, 9, true))], { isWide: true })],
  ['data in the tables', createHeic([{ ...codedItem('limited-709'), place: 'idat' }], { locationVersion: 2 })],
]

test.for(files)('%s with changed or missing bytes is read or rejected', ([, bytes]) => readMutations(bytes, 100))

test.for(files)('%s with many other changes is read or rejected', { tags: 'nightly' }, ([, bytes]) =>
  readMutations(bytes, 2000),
)

test('a grid with damaged coded pictures is converted or rejected by the worker', { tags: 'nightly' }, async () => {
  const folder = await temporaryFolder()
  const stills = createVideoStills({ ffmpegPath: null, dataDir: folder })
  onTestFinished(stills.close)
  const [sourcePath, stillPath] = [join(folder, 'source.heic'), join(folder, 'still.jpg')]
  const whole = phonePicture(2, 1)
  const dataAt = whole.indexOf('mdat') + 4
  const random = createRandom(11)
  const outcomes: string[] = []
  for (let attempt = 0; attempt < 16; attempt++) {
    const bytes = Buffer.from(whole)
    // Every other time near the start, where the headers are.
    const length = attempt % 2 === 0 ? 40 : bytes.length - dataAt
    for (let count = 1 + random(20); count > 0; count--) bytes[dataAt + random(length)] = random(256)
    await writeFile(sourcePath, bytes)
    const outcome = await stills.convert({ kind: 'heic' }, { sourcePath, stillPath }).then(
      () => 'made',
      (error) => (error instanceof UnreadableHeic ? error.rejection : error),
    )
    outcomes.push(outcome)
    if (outcome === 'made') expect(await sharp(stillPath).metadata()).toMatchObject({ width: 1008, height: 504 })
  }
  expect(outcomes.filter((outcome) => outcome !== 'made' && outcome !== 'damaged')).toEqual([])
})

type Mutate = (bytes: Buffer, random: Random) => Buffer

const mutations: Mutate[] = [
  (bytes, random) => bytes.subarray(0, random(bytes.length)),
  (bytes, random) => {
    for (let count = 1 + random(8); count > 0; count--) bytes[random(bytes.length)] = random(256)
    return bytes
  },
  (bytes, random) => {
    bytes[random(bytes.length)] = [0, 1, 127, 128, 255][random(5)] ?? 0
    return bytes
  },
  (bytes, random) => {
    if (bytes.length > 4)
      bytes.writeUInt32BE([0xffffffff, 0x7fffffff, 1, bytes.length][random(4)] ?? 0, random(bytes.length - 4))
    return bytes
  },
]

async function readMutations(file: Buffer, count: number): Promise<void> {
  const random = createRandom(file.length)
  for (let done = 0; done < count; done++) {
    const bytes = (mutations[random(mutations.length)] as Mutate)(Buffer.from(file), random)
    await readWithinLimits(bytes)
  }
}

async function readWithinLimits(bytes: Buffer): Promise<void> {
  let readBytes = 0
  const read = async (at: number, length: number): Promise<Buffer> => {
    readBytes += length
    return bytes.subarray(at, at + length)
  }
  try {
    const { width, height, tiles, orientation } = await readHeic(read, bytes.length)
    const { seen } = orientation
    expect([width * height > 0, width * height <= 65e6, tiles.length <= 1024]).toEqual([true, true, true])
    expect(seen.width * seen.height).toBe(width * height)
    for (const { pieces } of tiles) {
      for (const { at, length } of pieces) expect(at + length).toBeLessThanOrEqual(bytes.length)
    }
  } catch (error) {
    if (!(error instanceof RejectedHeic)) throw error
  }
  expect(readBytes).toBeLessThanOrEqual(2 ** 21)
}
