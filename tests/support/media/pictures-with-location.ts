import { crc32 } from 'node:zlib'
import exifr from 'exifr'
import sharp from 'sharp'

/** A city name that the pictures contain only as their location. */
export const city = 'Reykjavik'

/** EXIF data of a camera with a location: 64° 8′ 45.67″ N. */
const locatedExif = {
  IFD0: { Make: 'Camera', Artist: 'Ana', Orientation: '6' },
  IFD2: { DateTimeOriginal: '2026:06:13 14:30:20' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '64/1 8/1 4567/100', GPSLongitudeRef: 'W', GPSLongitude: '21/1 56/1 0/1' },
}

export const xmpPacket = (attributes: string, elements = ''): string =>
  `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
 xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
 xmlns:Iptc4xmpCore="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 ${attributes}>${elements}</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`

export const locatedXmp = xmpPacket(
  `xmp:Rating="4" exif:GPSLatitude="64,8.761N" photoshop:City='${city}'`,
  `<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Geysir</rdf:li></rdf:Alt></dc:title>
  <Iptc4xmpExt:LocationShown><rdf:Bag><rdf:li rdf:parseType="Resource"><Iptc4xmpExt:City>${city}</Iptc4xmpExt:City>
  </rdf:li></rdf:Bag></Iptc4xmpExt:LocationShown><exif:GPSAltitude>20/1</exif:GPSAltitude>
  <Iptc4xmpCore:CreatorContactInfo rdf:parseType="Resource"><Iptc4xmpCore:CiAdrCity>Graz</Iptc4xmpCore:CiAdrCity>
  </Iptc4xmpCore:CreatorContactInfo>`,
)

type Format = 'jpeg' | 'png' | 'webp' | 'tiff' | 'avif'

/** Returns a small picture with a location in EXIF and, unless `xmp` is empty, in XMP. */
export async function createLocatedPicture(
  format: Format,
  { xmp = locatedXmp, seed = 1 } = {},
): Promise<Buffer<ArrayBuffer>> {
  const background = { r: (seed * 53) % 256, g: (seed * 97) % 256, b: 90 }
  const picture = sharp({ create: { width: 60, height: 40, channels: 3, background } }).withExif(locatedExif)
  if (format === 'png') return Buffer.from(addPlainXmp(await picture.png().toBuffer(), xmp))
  const bytes = await (xmp ? picture.withXmp(xmp) : picture).toFormat(format).toBuffer()
  return Buffer.from(format === 'tiff' ? addGpsDirectory(bytes) : bytes)
}

/** Inserts a chunk after the header of a PNG. */
export function insertPngChunk(png: Buffer, type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([png.subarray(0, 33), length, body, sum, png.subarray(33)])
}

/** Adds the XMP packet uncompressed. sharp would compress it. */
const addPlainXmp = (png: Buffer, xmp: string): Buffer =>
  xmp ? insertPngChunk(png, 'iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${xmp}`)) : png

/** Adds a GPS directory, which sharp does not write to TIFF. A copy of the main directory at the end refers to it. */
function addGpsDirectory(tiff: Buffer): Buffer {
  const directory = tiff.readUInt32LE(4)
  const count = tiff.readUInt16LE(directory)
  const entries = tiff.subarray(directory + 2, directory + 2 + count * 12)
  const start = tiff.length + (tiff.length & 1)
  const gpsStart = start + 2 + (count + 1) * 12 + 4
  const words = (...numbers: number[]) => Buffer.from(Uint16Array.from(numbers).buffer)
  const [low, high] = [gpsStart & 0xffff, gpsStart >>> 16]
  const valueAt = gpsStart + 2 + 24 + 4
  const header = Buffer.from(tiff.subarray(0, 8))
  header.writeUInt32LE(start, 4)
  return Buffer.concat([
    header,
    tiff.subarray(8),
    Buffer.alloc(start - tiff.length),
    words(count + 1),
    entries,
    words(0x8825, 4, 1, 0, low, high, 0, 0),
    words(2, 1, 2, 2, 0, 'N'.charCodeAt(0), 0, 2, 5, 3, 0, valueAt & 0xffff, valueAt >>> 16, 0, 0),
    Buffer.from(Uint32Array.from([64, 1, 8, 1, 4567, 100]).buffer),
  ])
}

export async function readLocationMetadata(bytes: Buffer) {
  const { exif, xmp, iptc, orientation, format } = await sharp(bytes).metadata()
  const block = exif?.toString('latin1', 0, 4) === 'Exif' ? exif.subarray(6) : exif
  const tiff = format === 'tiff' ? bytes : block
  const tags = tiff && (await exifr.parse(tiff, { gps: true, mergeOutput: false }))
  return {
    orientation,
    make: tags?.ifd0?.Make,
    gps: tags?.gps,
    latitude: tags?.gps?.GPSLatitude,
    xmp: xmp?.toString(),
    iptc,
  }
}
