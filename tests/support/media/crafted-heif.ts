import { box, typeBox } from './movie-boxes.ts'

const uint16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

/** An AVIF whose location box lists `items` items of `extents` extents, which take no bytes in the file. */
export function createExtentBomb(items: number, extents: number): Buffer<ArrayBuffer> {
  const version = Buffer.alloc(4)
  const exifItem = Buffer.concat([
    Buffer.from([2, 0, 0, 0]),
    uint16(1),
    uint16(0),
    Buffer.from('Exif'),
    Buffer.alloc(1),
  ])
  const infos = box('iinf', version, uint16(1), box('infe', exifItem))
  const item = (id: number) => Buffer.concat([uint16(id), uint16(0), uint16(extents)])
  const ranges = Buffer.concat(Array.from({ length: items }, (_, index) => item(index + 1)))
  const locations = box('iloc', version, uint16(0), uint16(items), ranges)
  return Buffer.from(Buffer.concat([typeBox('avif'), box('meta', version, infos, locations)]))
}
