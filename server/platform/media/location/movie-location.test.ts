import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { box, typeBox } from '../../../../tests/support/media/movie-boxes.ts'
import { temporaryFolder } from '../../../../tests/support/run/temporary-folder.ts'
import { findLocationPatches } from './find-location.ts'

async function cleared(film: Buffer): Promise<Buffer> {
  const path = join(await temporaryFolder(), 'film')
  await writeFile(path, film)
  const found = await findLocationPatches(path)
  if (!found) throw new Error('The film cannot be followed')
  const result = Buffer.from(film)
  for (const { at, bytes } of found.patches) bytes.copy(result, at)
  expect((crc32(film) ^ found.crc32Change) >>> 0).toBe(crc32(result))
  return result
}

const position = '+64.1466-021.9426/'
const place = Buffer.from(position)
const film = (...inMovie: Buffer[]) =>
  Buffer.concat([
    typeBox('qt  '),
    box('mdat', Buffer.alloc(100, 7)),
    box('moov', box('mvhd', Buffer.alloc(100)), ...inMovie),
  ])
const userData = (...boxes: Buffer[]) => box('udta', ...boxes)
const bytes = (...values: number[]) => Buffer.from(values)
const handler = (kind: string) => box('hdlr', Buffer.alloc(8), Buffer.from(kind), Buffer.alloc(13))
const data = (kind: number, value: Buffer) => box('data', bytes(0, 0, 0, kind, 0, 0, 0, 0), value)

function applicable(names: Record<string, Buffer>): Buffer {
  const keys = Object.keys(names).map((name) => box('mdta', Buffer.from(name)))
  const values = Object.values(names).map((value, index) => box(String.fromCharCode(0, 0, 0, index + 1), value))
  const list = box('keys', bytes(0, 0, 0, 0, 0, 0, 0, keys.length), ...keys)
  return box('meta', handler('mdta'), list, box('ilst', ...values))
}

test.each<[string, Buffer]>([
  ['the position that phones write as user data', userData(box('\xa9xyz', bytes(0, 18, 0x15, 0xc7), place))],
  ['that of 3GP', userData(box('loci', place))],
  ['what makers hide in data of their own', userData(box('GPMF', place), box('NCDT', place))],
  ['the position of a track', box('trak', userData(box('\xa9xyz', place)))],
  ['that among the values of an iPhone', applicable({ 'com.apple.quicktime.location.ISO6709': data(1, place) })],
  [
    'that among the values of iTunes',
    userData(box('meta', Buffer.alloc(4), handler('mdir'), box('ilst', box('\xa9xyz', data(1, place))))),
  ],
  [
    'what a camera writes as XML',
    box(
      'meta',
      Buffer.alloc(4),
      handler('nrtm'),
      box('xml ', Buffer.alloc(4), Buffer.from(`<Item name="Latitude" value="${position}"/>`)),
    ),
  ],
  ['what stands in XMP', userData(box('XMP_', Buffer.from(`<a><r exif:GPSLatitude="${position}"/></a>`)))],
])('removes from a film %s', async (_what, metadata) => {
  const original = film(metadata)
  const result = await cleared(original)
  expect(original.includes(position)).toBe(true)
  expect(result.includes(position)).toBe(false)
  expect(result).toHaveLength(original.length)
  expect(result.subarray(0, 250).equals(original.subarray(0, 250))).toBe(true)
})

test('removes from a film XMP at the end of the file', async () => {
  const uuid = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex')
  const xmp = Buffer.from(`<x:xmpmeta><r exif:GPSLatitude="${position}" dc:title="Harbour"/></x:xmpmeta>`)
  const result = await cleared(Buffer.concat([film(), box('uuid', uuid, xmp)]))
  expect([result.includes(position), result.includes('Harbour')]).toEqual([false, true])
})

test('removes from a film tracks of metadata', async () => {
  const track = (kind: string) => box('trak', box('tkhd', Buffer.alloc(84)), box('mdia', handler(kind)))
  const original = film(track('vide'), track('meta'), track('soun'))
  const result = await cleared(original)
  expect(result.toString('latin1').match(/trak/g)).toHaveLength(2)
  expect(result.indexOf('free')).toBe(original.indexOf('trak', original.indexOf('vide')))
})

test('metadata without a location is not changed', async () => {
  const metadata = film(
    userData(box('\xa9nam', Buffer.from('Harbour')), box('\xa9day', Buffer.from('2024')), bytes(0, 0, 0, 0)),
    applicable({ 'com.apple.quicktime.make': data(1, Buffer.from('Apple')) }),
    box('trak', box('mdia', handler('vide'))),
  )
  expect((await cleared(metadata)).equals(metadata)).toBe(true)
})

test('a film with endless boxes returns null', async () => {
  const path = join(await temporaryFolder(), 'film')
  const nested = Array.from({ length: 20 }).reduce<Buffer>((inner) => box('moov', inner), box('free'))
  await writeFile(path, Buffer.concat([typeBox('isom'), nested]))
  expect(await findLocationPatches(path)).toBeNull()
})
