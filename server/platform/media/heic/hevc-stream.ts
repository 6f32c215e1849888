import { type CodedColors, type HevcStream, RejectedHeic } from './heic-picture.ts'
import { createCursor } from './item-tables.ts'

/** Cameras write a hundred bytes. */
const maxConfigBytes = 16_384
const sequenceParameters = 33

/** Parses a box `hvcC` (ISO/IEC 14496-15, 8.3.2). Throws RejectedHeic and ReadLimitExceeded. */
export function parseHevcConfig(config: Buffer): HevcStream {
  if (config.length > maxConfigBytes) throw invalid()
  const cursor = createCursor(config)
  cursor.bytes(22)
  for (let arrays = cursor.uint(1); arrays > 0; arrays--) {
    const type = cursor.uint(1) & 63
    for (let units = cursor.uint(2); units > 0; units--) {
      const unit = cursor.bytes(cursor.uint(2))
      if (type === sequenceParameters) return { config, ...parseSequenceParameters(unit) }
    }
  }
  throw invalid()
}

const invalid = () => new RejectedHeic('damage', 'The decoder configuration is damaged')

const samplings = ['400', '420', '422', '444'] as const
/** Those that the decoder has. */
const supportedBits = new Set([8, 10, 12])
/** The limit of the standard for its largest level is 16,888. */
const maxCodedEdge = 16_888

/** Parses a sequence parameter set (ITU-T H.265, 7.3.2.2) as far as the colors. */
function parseSequenceParameters(unit: Buffer): Omit<HevcStream, 'config'> {
  const reader = createBitReader(unit)
  const { skip, bits, flag, ue } = reader
  skip(20)
  const maxSubLayer = bits(3)
  skip(1)
  skipProfile(reader, maxSubLayer)
  ue(15)
  const format = ue(3)
  if (format === 3 && flag()) throw new RejectedHeic('unsupported', 'Separate color planes are not decoded')
  const [codedWidth, codedHeight] = [ue(maxCodedEdge), ue(maxCodedEdge)]
  const [left = 0, right = 0, top = 0, bottom = 0] = flag() ? [0, 1, 2, 3].map(() => ue(maxCodedEdge)) : []
  const width = codedWidth - (left + right) * (format === 1 || format === 2 ? 2 : 1)
  const height = codedHeight - (top + bottom) * (format === 1 ? 2 : 1)
  const [lightBits, colorBits] = [ue(8) + 8, ue(8) + 8]
  if (!supportedBits.has(lightBits) || (format > 0 && colorBits !== lightBits)) {
    throw new RejectedHeic('unsupported', `Samples of ${lightBits} and ${colorBits} bits are not decoded`)
  }
  skipCodingTools(reader, maxSubLayer)
  const colors = flag() ? readColors(reader) : null
  return { width, height, sampling: samplings[format] ?? '400', bits: lightBits, colors }
}

const [profileBits, levelBits] = [88, 8]

function skipProfile({ skip, flag }: BitReader, maxSubLayer: number): void {
  skip(profileBits + levelBits)
  let left = 0
  for (let layer = 0; layer < maxSubLayer; layer++) left += (flag() ? profileBits : 0) + (flag() ? levelBits : 0)
  // The flags are for eight layers if there is more than one.
  skip(left + (maxSubLayer > 0 ? 2 * (8 - maxSubLayer) : 0))
}

/** Skips what is between the bit depths and the usability information. */
function skipCodingTools(reader: BitReader, maxSubLayer: number): void {
  const { skip, flag, ue, skipUes } = reader
  const orderBits = ue(12) + 4
  skipUes(3 * (flag() ? maxSubLayer + 1 : 1))
  skipUes(6)
  if (flag() && flag()) skipScalingLists(reader)
  skip(2)
  const hasPulseCode = flag()
  if (hasPulseCode) {
    skip(8)
    skipUes(2)
    skip(1)
  }
  skipReferenceSets(reader)
  if (flag()) skip(ue(32) * (orderBits + 1))
  skip(2)
}

function skipScalingLists({ flag, skipUes }: BitReader): void {
  for (let size = 0; size < 4; size++) {
    for (let matrix = 0; matrix < 6; matrix += size === 3 ? 3 : 1) {
      const coefficients = Math.min(64, 1 << (4 + 2 * size)) + (size > 1 ? 1 : 0)
      skipUes(flag() ? coefficients : 1)
    }
  }
}

const maxReferences = 16
const maxDistance = 32_768

/** A set can be predicted from the one before it, so the distances of each set are needed (H.265, 7.4.8). */
function skipReferenceSets(reader: BitReader): void {
  let distances: number[] = []
  const count = reader.ue(64)
  for (let set = 0; set < count; set++) {
    distances = set > 0 && reader.flag() ? predictDistances(reader, distances) : readDistances(reader)
    if (distances.length > maxReferences) throw invalid()
  }
}

function predictDistances({ flag, ue }: BitReader, previous: number[]): number[] {
  const sign = flag() ? -1 : 1
  const change = sign * (ue(maxDistance) + 1)
  const kept = [...previous, 0].filter(() => flag() || flag()).map((distance) => distance + change)
  const [before, after] = [kept.filter((one) => one < 0), kept.filter((one) => one > 0)]
  return [...before.sort((a, b) => b - a), ...after.sort((a, b) => a - b)]
}

function readDistances({ skip, ue }: BitReader): number[] {
  const counts = [ue(maxReferences), ue(maxReferences)]
  return counts.flatMap((count, index) => {
    let distance = 0
    return Array.from({ length: count }, () => {
      distance += (index === 0 ? -1 : 1) * (ue(maxDistance) + 1)
      skip(1)
      return distance
    })
  })
}

/** Reads the start of the usability information. Returns null if it does not describe the colors. */
function readColors({ skip, bits, flag }: BitReader): CodedColors | null {
  if (flag() && bits(8) === 255) skip(32)
  if (flag()) skip(1)
  if (!flag()) return null
  skip(3)
  const isFullRange = flag()
  const [primaries, transfer, matrix] = flag() ? [bits(8), bits(8), bits(8)] : [2, 2, 2]
  return { primaries, transfer, matrix, isFullRange }
}

type BitReader = ReturnType<typeof createBitReader>

/** The functions throw RejectedHeic at the end of the unit. */
function createBitReader(unit: Buffer) {
  // The third byte of each sequence 0, 0, 3 is not data.
  const bytes = Buffer.from(unit.toString('latin1').replaceAll('\0\0\x03', '\0\0'), 'latin1')
  let at = 0

  function skip(count: number): void {
    at += count
    if (at > bytes.length * 8) throw invalid()
  }

  function flag(): boolean {
    skip(1)
    return (((bytes[(at - 1) >> 3] ?? 0) >> (7 - ((at - 1) & 7))) & 1) === 1
  }

  function bits(count: number): number {
    let value = 0
    for (let left = count; left > 0; left--) value = value * 2 + (flag() ? 1 : 0)
    return value
  }

  /** Reads an Exp-Golomb code, ue(v) in the standard. Throws RejectedHeic for a larger one than `max`. */
  function ue(max: number): number {
    let zeros = 0
    while (zeros <= 32 && !flag()) zeros++
    const value = 2 ** zeros - 1 + bits(zeros)
    if (value > max) throw invalid()
    return value
  }

  function skipUes(count: number): void {
    for (let left = count; left > 0; left--) ue(2 ** 32)
  }

  return { skip, bits, flag, ue, skipUes }
}
