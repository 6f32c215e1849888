import { expect, test } from 'vitest'
import { createRandom, type Random } from '../../../../tests/support/media/random.ts'
import { createRawFile, rawLayouts, readRawFacts } from '../../../../tests/support/media/raw-files.ts'
import { EditedFile, ReadLimitExceeded } from '../location/edited-file.ts'
import { clearRaw } from '../location/raw-location.ts'
import { detectRawKind, type RawKind } from './detect-raw-kind.ts'
import { findRawPicture } from './find-raw-picture.ts'

const kinds = [...new Set(rawLayouts.map(({ kind }) => kind))]

test.for(kinds)('%s with changed or missing bytes is read within the limits', (kind) => readMutations(kind, 100))

test.for(kinds)('%s with many other changes is read within the limits', { tags: 'nightly' }, (kind) =>
  readMutations(kind, 2000),
)

type Mutate = (bytes: Buffer, random: Random) => Buffer

/** Returns an offset in the file. Half of them are where the headers are. */
const placeIn = (bytes: Buffer, random: Random): number =>
  random(random(2) === 0 ? Math.min(bytes.length - 4, 600) : bytes.length - 4)

const writeNumber =
  (numberOf: (bytes: Buffer, random: Random) => number): Mutate =>
  (bytes, random) => {
    const at = placeIn(bytes, random)
    const value = numberOf(bytes, random)
    if (random(2) === 0) bytes.writeUInt32LE(value, at)
    else bytes.writeUInt32BE(value, at)
    return bytes
  }

const mutations: Mutate[] = [
  (bytes, random) => bytes.fill(random(256), placeIn(bytes, random)).subarray(0, bytes.length),
  (bytes, random) => {
    for (let count = 1 + random(20); count > 0; count--) bytes[placeIn(bytes, random)] = random(256)
    return bytes
  },
  (bytes, random) => bytes.subarray(0, placeIn(bytes, random)),
  writeNumber(() => 0xffffffff),
  writeNumber((_bytes, random) => 0x7fffffff - random(1000)),
  // An offset of a directory, which makes a loop.
  writeNumber((_bytes, random) => random(200)),
  writeNumber((bytes, random) => random(bytes.length)),
]

async function readMutations(kind: RawKind, mutationCount: number): Promise<void> {
  const layouts = rawLayouts.filter((layout) => layout.kind === kind)
  const files = await Promise.all(layouts.map((layout) => createRawFile(layout, { isLocated: true })))
  const random = createRandom(kinds.indexOf(kind) + 7)
  for (let count = 0; count < mutationCount; count++) {
    let bytes = Buffer.from(files[count % files.length] ?? '')
    for (let changes = 1 + random(3); changes > 0 && bytes.length > 4; changes--) {
      bytes = Buffer.from(mutations[random(mutations.length)]?.(bytes, random) ?? bytes)
    }
    await expectWithinLimits(bytes, kind)
  }
}

async function expectWithinLimits(bytes: Buffer, kind: RawKind): Promise<void> {
  let reads = 0
  let readBytes = 0
  const read = async (at: number, length: number): Promise<Buffer> => {
    reads++
    readBytes += length
    return bytes.subarray(at, at + length)
  }
  const picture = await findRawPicture(read, bytes.length, kind)
  expect(reads).toBeLessThanOrEqual(256)
  expect(readBytes).toBeLessThanOrEqual(2 ** 20)
  if (picture) {
    expect(picture.at + picture.length).toBeLessThanOrEqual(bytes.length)
    expect(picture.width * picture.height).toBeGreaterThan(0)
    if (picture.format === 'jpeg') expect(bytes.readUInt16BE(picture.at)).toBe(0xffd8)
    else expect(picture.extradata.at + picture.extradata.length).toBeLessThanOrEqual(bytes.length)
  }

  ;[reads, readBytes] = [0, 0]
  await detectRawKind(read, bytes.length)
  expect(reads).toBeLessThanOrEqual(256)
  expect(readBytes).toBeLessThanOrEqual(2 ** 20)

  await expectBounded(readRawFacts(bytes, kind))
  const file = new EditedFile(async (at, length) => Buffer.from(await read(at, length)), bytes.length)
  await expectBounded(clearRaw(file, kind))
}

/** The calling functions treat these errors as a file that cannot be read. */
const expectBounded = (reading: Promise<unknown>) =>
  reading.catch((error) => {
    if (!(error instanceof ReadLimitExceeded) && !(error instanceof RangeError)) throw error
  })
