import { writeFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { must } from '../../../../contract/must.ts'
import { createExtentBomb } from '../../../../tests/support/media/crafted-heif.ts'
import { createImageFile, plainPicture } from '../../../../tests/support/media/image-files.ts'
import {
  city,
  createLocatedPicture,
  insertPngChunk,
  locatedXmp,
  readLocationMetadata,
  xmpPacket,
} from '../../../../tests/support/media/pictures-with-location.ts'
import { createRandom } from '../../../../tests/support/media/random.ts'
import { findLocationPatches } from './find-location.ts'

/** Applies all patches, and checks the computed CRC-32. */
async function patch(bytes: Buffer): Promise<Buffer> {
  const found = await findLocationPatches(await createImageFile(bytes))
  if (!found) throw new Error('The file could not be followed')
  const patched = Buffer.from(bytes)
  for (const { at, bytes: others } of found.patches) others.copy(patched, at)
  expect((crc32(bytes) ^ found.crc32Change) >>> 0).toBe(crc32(patched))
  expect(patched.length).toBe(bytes.length)
  return patched
}

const segment = (marker: number, payload: Buffer | string): Buffer => {
  const body = Buffer.from(payload)
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

const plainJpeg = () => plainPicture(60, 40).jpeg().toBuffer()

async function jpegWith(...segments: Buffer[]): Promise<Buffer> {
  const jpeg = await plainJpeg()
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])
}

const xmpSegment = (xmp: string) =>
  segment(0xe1, Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0'), Buffer.from(xmp)]))

const dataset = (record: number, number: number, value: string): Buffer => {
  const head = Buffer.from([0x1c, record, number, 0, value.length])
  return Buffer.concat([head, Buffer.from(value)])
}

const resource = (id: number, data: Buffer): Buffer => {
  const head = Buffer.from([...Buffer.from('8BIM'), id >> 8, id & 255, 0, 0, 0, 0, 0, 0])
  head.writeUInt32BE(data.length, 8)
  return Buffer.concat([head, data, Buffer.alloc(data.length & 1)])
}

test('a HEIF with too many extents is given up at once', async () => {
  expect(await findLocationPatches(await createImageFile(createExtentBomb(4_000, 60_000)))).toBeNull()
})

describe.for(['jpeg', 'png', 'webp', 'tiff', 'avif'] as const)('a %s', (format) => {
  test('loses its location, but no other metadata and no pixels', async () => {
    const bytes = await createLocatedPicture(format)
    const before = await readLocationMetadata(bytes)
    expect(before.latitude).toEqual([64, 8, 45.67])
    expect(before.xmp).toBe(locatedXmp)

    const patched = await patch(bytes)
    const after = await readLocationMetadata(patched)
    expect(after).toMatchObject({
      gps: undefined,
      latitude: undefined,
      make: before.make,
      orientation: before.orientation,
    })
    expect(after.xmp).toMatch(/xmp:Rating="4"[\s\S]*Geysir[\s\S]*CiAdrCity>Graz</)
    expect(after.xmp).not.toMatch(/GPS|LocationShown|photoshop:City/)
    expect(after.xmp?.length).toBe(before.xmp?.length)
    expect(patched.includes(city)).toBe(false)
    const rational = Buffer.alloc(8)
    rational.writeUInt32LE(4567, 0)
    rational.writeUInt32LE(100, 4)
    expect(bytes.includes(rational)).toBe(true)
    expect(patched.includes(rational)).toBe(false)
    const [pixels, patchedPixels] = await Promise.all([bytes, patched].map((one) => sharp(one).raw().toBuffer()))
    expect(patchedPixels?.equals(must(pixels, 'pixels'))).toBe(true)
    for (let at = 8; format === 'png' && at < patched.length; ) {
      const length = patched.readUInt32BE(at)
      expect(patched.readUInt32BE(at + 8 + length)).toBe(crc32(patched.subarray(at + 4, at + 8 + length)))
      at += 12 + length
    }
  })

  test('without a location is not changed', async () => {
    const picture = plainPicture(60, 40).withExif({ IFD0: { Make: 'Camera' } })
    const bytes = await picture.toFormat(format).toBuffer()
    expect((await findLocationPatches(await createImageFile(bytes)))?.patches).toEqual([])
  })
})

const pngWith = async (type: string, data: Buffer) =>
  insertPngChunk(await plainPicture(8, 8).png().toBuffer(), type, data)

test.for([
  ['compressed XMP', 'iTXt', `XML:com.adobe.xmp\0\x01\0\0\0${city}`],
  ['a raw profile', 'zTXt', `Raw profile type exif\0\0${city}`],
  ['a text of a place', 'tEXt', `exif:GPSLatitude\0${city}`],
] as const)('texts of a PNG %s is emptied completely', async ([, type, data]) => {
  const patched = await patch(await pngWith(type, Buffer.from(data, 'latin1')))
  expect(patched.includes(city)).toBe(false)
  await sharp(patched, { failOn: 'warning' }).stats()
})

test('texts of a PNG one after the end of the picture is emptied too, others are not changed', async () => {
  const text = insertPngChunk(Buffer.alloc(33), 'tEXt', Buffer.from(`exif:GPSLatitude\0${city}`)).subarray(33)
  const patched = await patch(Buffer.concat([await plainPicture(8, 8).png().toBuffer(), text]))
  expect(patched.includes(city)).toBe(false)
  const bytes = await pngWith('tEXt', Buffer.from(`Title\0${city}`))
  expect((await patch(bytes)).equals(bytes)).toBe(true)
})

const metadata = async (xmp: string) => (await patch(await jpegWith(xmpSegment(xmp)))).toString('latin1')

test.for([
  ['under another prefix', xmpPacket(`xmlns:e="http://ns.adobe.com/exif/1.0/" e:GPSLatitude = "${city}"`)],
  ['of a drone', xmpPacket(`xmlns:d="http://www.dji.com/drone-dji/1.0/" d:GpsLatitude="${city}"`)],
  ['as an empty element', xmpPacket('', `<Iptc4xmpCore:Location x="${city}"/>`)],
  [
    'of where it was made',
    xmpPacket('', `<Iptc4xmpExt:LocationCreated><rdf:li>${city}</rdf:li></Iptc4xmpExt:LocationCreated>`),
  ],
  ['in text that is no markup', xmpPacket('', `<photoshop:City><![CDATA[<a>${city}]]></photoshop:City>`)],
  ['that is not well-formed', `<a><b photoshop:Title="${city}"></a>`],
  ['with declarations of its own', `<!DOCTYPE a [<!ENTITY b "${city}">]><a/>`],
  ['in UTF-16', Buffer.from(xmpPacket(`photoshop:City="${city}"`), 'utf16le').toString('latin1')],
] as const)('XMP %s loses its location', async ([, xmp]) => {
  const patched = await metadata(xmp)
  expect(patched).not.toContain(city)
  expect(patched).not.toContain([...city].join('\0'))
})

test('XMP keeps a city that is not the location of the picture', async () => {
  expect(await metadata(xmpPacket(`dc:creator="${city}" xmlns:City="urn:${city}"`))).toContain(`urn:${city}`)
})

// Quadratic work would exceed the time limit of the test.
test('XMP with deep nesting is parsed in time', async () => {
  const nest = `${'<a>'.repeat(10_000)}${city}`
  expect(
    await metadata(xmpPacket(`photoshop:City="${city}${' '.repeat(30_000)}`, nest.slice(0, 30_000))),
  ).not.toContain(city)
})

const extension = (text: string, from: number, to: number, total = text.length): Buffer => {
  const numbers = Buffer.alloc(8)
  numbers.writeUInt32BE(total, 0)
  numbers.writeUInt32BE(from, 4)
  const head = Buffer.from(`http://ns.adobe.com/xmp/extension/\0${'A'.repeat(32)}`)
  return segment(0xe1, Buffer.concat([head, numbers, Buffer.from(text.slice(from, to))]))
}
const text = xmpPacket(`xmp:Rating="4" photoshop:City="${city}"`)
  .slice(0, -19)
  .replace(/^[\s\S]*?\?>/, '')
const cutAt = text.indexOf(city) + 4

test('extended XMP loses a value that begins in one segment and ends in the next, or in a missing one', async () => {
  const bytes = await jpegWith(extension(text, cutAt, text.length), extension(text, 0, cutAt))
  const patched = (await patch(bytes)).toString('latin1')
  expect(patched).not.toMatch(/photoshop:City|Reyk|javik/)
  expect(patched).toContain('xmp:Rating="4"')
  const half = (await patch(await jpegWith(extension(text, cutAt, text.length)))).toString('latin1')
  expect(half).not.toContain('javik')
})

test.for([13, -1])('XMP of a GIF loses its location, before and after the pixels: %i', async (place) => {
  const gif = await plainPicture(8, 8).gif().toBuffer()
  const at = place === 13 ? place + 3 * 2 ** (((gif[10] ?? 0) & 7) + 1) : gif.length + place
  const trailer = Buffer.from([1, ...Array.from({ length: 256 }, (_, index) => 255 - index), 0])
  const xmp = Buffer.from(xmpPacket(`xmp:Rating="4" photoshop:City="${city}"`))
  const extension = Buffer.concat([Buffer.from('!\xff\x0bXMP DataXMP', 'latin1'), xmp, trailer])
  const patched = await patch(Buffer.concat([gif.subarray(0, at), extension, gif.subarray(at)]))
  expect(patched.includes(city)).toBe(false)
  expect(patched.includes('xmp:Rating="4"')).toBe(true)
  await sharp(patched, { failOn: 'warning' }).stats()
})

const record = Buffer.concat([
  dataset(1, 90, '\x1b%G'),
  dataset(2, 90, city),
  dataset(2, 120, 'A caption'),
  dataset(2, 101, 'Iceland'),
  dataset(2, 80, 'Ana'),
])

test('IPTC loses its locations, and the rest moves up', async () => {
  const photoshop = Buffer.concat([Buffer.from('Photoshop 3.0\0'), resource(0x404, record)])
  const { iptc } = await readLocationMetadata(await patch(await jpegWith(segment(0xed, photoshop))))
  const kept = Buffer.concat([dataset(1, 90, '\x1b%G'), dataset(2, 120, 'A caption'), dataset(2, 80, 'Ana')])
  expect(iptc?.includes(kept)).toBe(true)
  expect(iptc?.includes(city)).toBe(false)
  expect(iptc?.includes('Iceland')).toBe(false)
})

test('IPTC that contains only places is empty afterwards', async () => {
  const places = Buffer.concat([90, 92, 95, 100, 101].map((number) => dataset(2, number, city)))
  const photoshop = Buffer.concat([Buffer.from('Photoshop 3.0\0'), resource(0x404, places)])
  expect((await patch(await jpegWith(segment(0xed, photoshop)))).includes(city)).toBe(false)
})

test('IPTC is cleared across two segments, and blanked when it cannot be parsed', async () => {
  const name = Buffer.from('Photoshop 3.0\0')
  const all = resource(0x404, record)
  const two = await jpegWith(
    ...[all.subarray(0, 30), all.subarray(30)].map((part) => segment(0xed, Buffer.concat([name, part]))),
  )
  expect((await patch(two)).toString('latin1')).not.toMatch(/Reyk|javik|Iceland/)
  const broken = await jpegWith(segment(0xed, Buffer.concat([name, Buffer.from(`nothing known ${city}`)])))
  expect((await patch(broken)).includes(city)).toBe(false)
})

test('invalid EXIF is blanked completely', async () => {
  const bytes = await jpegWith(segment(0xe1, `Exif\0\0no such order ${city}`))
  expect((await patch(bytes)).includes(city)).toBe(false)
})

test('a nested directory loses its location too', async () => {
  const directory = (tag: number, type: number, count: number, value: number): Buffer => {
    const bytes = Buffer.alloc(2 + 12 + 4)
    bytes.writeUInt16LE(1, 0)
    bytes.writeUInt16LE(tag, 2)
    bytes.writeUInt16LE(type, 4)
    bytes.writeUInt32LE(count, 6)
    bytes.writeUInt32LE(value, 10)
    return bytes
  }
  const tiff = Buffer.concat([
    Buffer.from([...Buffer.from('II*\0'), 8, 0, 0, 0]),
    directory(0x014a, 4, 1, 26),
    directory(0x8825, 4, 1, 44),
    directory(2, 2, city.length, 62),
    Buffer.from(city),
  ])
  const bytes = await jpegWith(segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), tiff])))
  expect((await patch(bytes)).includes(city)).toBe(false)
})

test('a second picture in the file loses its location too', async () => {
  const [first, second] = [await plainJpeg(), await createLocatedPicture('jpeg')]
  const list = Buffer.alloc(4 + 8 + 2 + 12 + 4 + 32)
  list.write('MPF\0MM\0*', 0, 'latin1')
  list.writeUInt32BE(8, 8)
  list.writeUInt16BE(1, 12)
  list.writeUInt16BE(0xb002, 14)
  list.writeUInt16BE(7, 16)
  list.writeUInt32BE(32, 18)
  list.writeUInt32BE(26, 22)
  // The offset counts from the byte order mark at 10: after the start marker and the marker, length and name of `list`.
  list.writeUInt32BE(first.length + 4 + list.length - 10, 30 + 16 + 8)
  const bytes = Buffer.concat([first.subarray(0, 2), segment(0xe2, list), first.subarray(2), second])
  expect((await patch(bytes)).includes(city)).toBe(false)
})

test('a malicious file with loops of directories ends', async () => {
  const tiff = Buffer.alloc(64)
  tiff.write('II*\0', 0, 'latin1')
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(2, 8)
  for (const [at, tag, count] of [
    [10, 0x8769, 1],
    [22, 0x8825, 0xffffffff],
  ] as const) {
    tiff.writeUInt16LE(tag, at)
    tiff.writeUInt16LE(4, at + 2)
    tiff.writeUInt32LE(count, at + 4)
    tiff.writeUInt32LE(8, at + 8)
  }
  tiff.writeUInt32LE(8, 34)
  await patch(await jpegWith(segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), tiff]))))
})

test('a malicious file with too many directories returns null', async () => {
  const entries = 5_000
  const tiff = Buffer.alloc(8 + 2 + entries * 12 + 4)
  tiff.write('II*\0', 0, 'latin1')
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(entries, 8)
  for (let at = 10; at < tiff.length - 4; at += 12) {
    tiff.writeUInt16LE(0x02bc, at)
    tiff.writeUInt16LE(1, at + 2)
    tiff.writeUInt32LE(tiff.length, at + 4)
  }
  const path = await createImageFile(await jpegWith(segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), tiff]))))
  expect(await findLocationPatches(path)).toBeNull()
})

test.for(['jpeg', 'png', 'webp', 'tiff', 'avif'] as const)(
  'a malicious file a %s with changed or missing bytes is read without an error',
  async (format) => {
    const whole = await createLocatedPicture(format)
    const path = await createImageFile(whole)
    const next = createRandom(7)
    for (let attempt = 0; attempt < 60; attempt++) {
      const bytes = Buffer.from(whole)
      for (let change = 0; change < 1 + (attempt % 5); change++)
        bytes[12 + next(bytes.length - 12)] = [0, 0xff, 0x7f, 1][next(4)] ?? 0
      await writeFile(path, attempt % 10 === 0 ? bytes.subarray(0, 20 + next(bytes.length - 20)) : bytes)
      const found = await findLocationPatches(path)
      for (const { at, bytes: others } of found?.patches ?? [])
        expect(at + others.length).toBeLessThanOrEqual(bytes.length)
    }
  },
)
