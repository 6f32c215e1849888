type DngOptions = { packet?: Buffer | null; isBigEndian?: boolean; takenAt?: string }

/**
 * Returns a small file of the structure of a DNG: a picture in the first directory, a capture time in another one, with
 * an XMP packet or without, and bytes that stand for the raw data.
 */
export function dngFile({ packet = null, isBigEndian = false, takenAt = '' }: DngOptions = {}): Buffer {
  const write16 = (value: number) => number(value, 2, isBigEndian)
  const write32 = (value: number) => number(value, 4, isBigEndian)
  const pixels = Buffer.alloc(48, 200)
  const raw = Buffer.alloc(5_000, 7)
  // An even length, so that all offsets are even.
  const text = Buffer.from(takenAt.padEnd(takenAt.length + 2 - (takenAt.length % 2), '\0'))
  const entryCount = packet ? 14 : 13
  const directoryEnd = 8 + 2 + entryCount * 12 + 4
  const exifAt = directoryEnd
  const textAt = exifAt + 2 + 12 + 4
  const pixelsAt = textAt + text.length
  const packetAt = pixelsAt + pixels.length
  const rawAt = packetAt + (packet?.length ?? 0)
  // Short values are in the first bytes of their field.
  const short = (value: number) => Buffer.concat([write16(value), Buffer.alloc(2)])
  const entries: Array<[tag: number, type: number, count: number, value: Buffer]> = [
    [254, 4, 1, write32(1)],
    [256, 4, 1, write32(4)],
    [257, 4, 1, write32(4)],
    [258, 3, 1, short(8)],
    [259, 3, 1, short(1)],
    [262, 3, 1, short(1)],
    [273, 4, 1, write32(pixelsAt)],
    [277, 3, 1, short(1)],
    [278, 4, 1, write32(4)],
    [279, 4, 1, write32(16)],
    ...(packet ? ([[700, 1, packet.length, write32(packetAt)]] as Array<[number, number, number, Buffer]>) : []),
    [0x8769, 4, 1, write32(exifAt)],
    [50706, 1, 4, Buffer.from([1, 4, 0, 0])],
    [50740, 1, 4, Buffer.from([1, 2, 3, 4])],
  ]
  const write = ([tag, type, count, value]: (typeof entries)[number]) =>
    Buffer.concat([write16(tag), write16(type), write32(count), value])
  const exif = Buffer.concat([write16(1), write([0x9003, 2, text.length, write32(textAt)]), write32(0)])
  const head = Buffer.concat([Buffer.from(isBigEndian ? 'MM' : 'II'), write16(42), write32(8)])
  const directory = Buffer.concat([write16(entryCount), ...entries.map(write), write32(0)])
  const file = Buffer.concat([head, directory, exif, text, pixels, packet ?? Buffer.alloc(0), raw])
  if (rawAt !== file.length - raw.length) throw new Error('The offsets do not fit')
  return file
}

function number(value: number, size: 2 | 4, isBigEndian: boolean): Buffer {
  const bytes = Buffer.alloc(size)
  if (isBigEndian) bytes.writeUIntBE(value, 0, size)
  else bytes.writeUIntLE(value, 0, size)
  return bytes
}
