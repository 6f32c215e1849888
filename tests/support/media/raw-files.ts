import { getCaptureTime } from '../../../server/platform/media/capture-time.ts'
import { EditedFile } from '../../../server/platform/media/location/edited-file.ts'
import type { RawKind } from '../../../server/platform/media/raw/detect-raw-kind.ts'
import { readRawTags } from '../../../server/platform/media/raw/read-raw-tags.ts'
import { parseCamera } from '../../../server/platform/media/read-camera.ts'
import { readSample } from './heic-files.ts'
import { box, typeBox } from './movie-boxes.ts'
import { jpeg } from './pictures.ts'
import { city, locatedXmp } from './pictures-with-location.ts'

type Value =
  | number
  | string
  | Buffer
  | { short: number }
  | { rationals: number[] }
  | { offsetOf: Buffer }
  | { directories: Directory[] }
  /** A maker note that refers to bytes outside of it. `append` returns their offset from the start of the file. */
  | { note: (append: (bytes: Buffer) => number) => Buffer }
type Directory = Array<[tag: number, value: Value]>

/**
 * Returns the smallest file of the form that most raw formats have: a TIFF with a capture time. `takenAt` is that of the
 * camera, such as `2026:06:20 12:00:01`.
 */
export const rawFile = (takenAt: string, content = ''): Buffer =>
  Buffer.concat([createTiff([[[tags.exif, { directories: [[[0x9003, takenAt]]] }]]]), Buffer.from(content)])

/** Returns the header, a chain of directories right after it, and their values. Offsets count from the start of the header. */
export function createTiff(chain: Directory[], order: 'II' | 'MM' = 'II', header = tiffHeader(order)): Buffer {
  const uint = (value: number, size: 2 | 4) => toUint(value, size, order)
  const parts: Buffer[] = []
  let length = 0
  const append = (bytes: Buffer): number => {
    const at = length
    parts.push(bytes, Buffer.alloc(bytes.length & 1))
    length += bytes.length + (bytes.length & 1)
    return at
  }

  function encode(value: Value): [type: number, count: number, bytes: Buffer] {
    if (typeof value === 'number') return [4, 1, uint(value, 4)]
    if (typeof value === 'string') return [2, value.length + 1, Buffer.from(`${value}\0`)]
    if (Buffer.isBuffer(value)) return [7, value.length, value]
    if ('short' in value) return [3, 1, Buffer.concat([uint(value.short, 2), Buffer.alloc(2)])]
    if ('rationals' in value)
      return [5, value.rationals.length / 2, Buffer.concat(value.rationals.map((one) => uint(one, 4)))]
    if ('offsetOf' in value) return encode(append(value.offsetOf))
    if ('note' in value) return encode(value.note(append))
    return [4, value.directories.length, Buffer.concat(value.directories.map((one) => uint(write([one]), 4)))]
  }

  function write([directory, ...next]: Directory[]): number {
    if (!directory) return 0
    const table = Buffer.alloc(2 + directory.length * 12 + 4)
    const at = append(table)
    uint(directory.length, 2).copy(table)
    for (const [index, [tag, value]] of directory.toSorted(([a], [b]) => a - b).entries()) {
      const [type, count, bytes] = encode(value)
      const field = bytes.length <= 4 ? bytes : uint(append(bytes), 4)
      Buffer.concat([uint(tag, 2), uint(type, 2), uint(count, 4), field]).copy(table, 2 + index * 12)
    }
    uint(write(next), 4).copy(table, table.length - 4)
    return at
  }

  append(header)
  write(chain)
  return Buffer.concat(parts)
}

/** `rest` is between the offset of the first directory and that directory. */
function tiffHeader(order: 'II' | 'MM', start = order === 'II' ? 'II*\0' : 'MM\0*', rest = ''): Buffer {
  const offset = toUint(8 + rest.length, 4, order)
  return Buffer.concat([Buffer.from(start, 'latin1'), offset, Buffer.from(rest, 'latin1')])
}

function toUint(value: number, size: 2 | 4, order: 'II' | 'MM' = 'MM'): Buffer {
  const bytes = Buffer.alloc(size)
  if (order === 'MM') bytes.writeUIntBE(value, 0, size)
  else bytes.writeUIntLE(value, 0, size)
  return bytes
}

const tags = {
  compression: 0x0103,
  photometric: 0x0106,
  make: 0x010f,
  model: 0x0110,
  stripOffsets: 0x0111,
  orientation: 0x0112,
  stripBytes: 0x0117,
  tileOffsets: 0x0144,
  tileBytes: 0x0145,
  subDirectories: 0x014a,
  jpegOffset: 0x0201,
  jpegBytes: 0x0202,
  exif: 0x8769,
  makerNote: 0x927c,
  dngVersion: 0xc612,
}

/** The capture time of the raw files in epoch milliseconds, and other facts in them. The model is `One`. */
export const rawFacts = {
  capturedAt: Date.UTC(2026, 5, 13, 14, 30, 20),
  camera: { lens: 'Lens 50mm', aperture: 2.8, iso: 400 },
}

const exifEntries: Directory = [
  [0x829d, { rationals: [28, 10] }],
  [0x8827, { short: 400 }],
  [0x9003, '2026:06:13 14:30:20'],
  [0x9011, '+02:00'],
  [0xa434, 'Lens 50mm'],
]
const gpsEntries: Directory = [
  [1, 'N'],
  [2, { rationals: [64, 1, 8, 1, 4567, 100] }],
]
const locationEntries: Directory = [
  [0x8825, { directories: [gpsEntries] }],
  [0x02bc, Buffer.from(locatedXmp)],
  [0x83bb, Buffer.concat([Buffer.from([0x1c, 2, 90, 0, city.length]), Buffer.from(city)])],
]

const jpegOf = (picture: Buffer): Directory => [
  [tags.jpegOffset, { offsetOf: picture }],
  [tags.jpegBytes, picture.length],
]
const stripOf = (data: Buffer, compression: number, photometric = 6): Directory => [
  [tags.compression, { short: compression }],
  [tags.photometric, { short: photometric }],
  [tags.stripOffsets, { offsetOf: data }],
  [tags.stripBytes, data.length],
]
const tileOf = (data: Buffer, compression: number, photometric = 6): Directory => [
  [tags.compression, { short: compression }],
  [tags.photometric, { short: photometric }],
  [tags.tileOffsets, { offsetOf: data }],
  [tags.tileBytes, data.length],
]
const colorFilterArray = 32_803
const sensorData = Buffer.alloc(5000, 7)
const sensorStrip = (compression: number): Directory => stripOf(sensorData, compression, colorFilterArray)

/** Returns a JPEG of 6000 × 4000 pixels that has a frame and arbitrary data instead of a scan. */
function emptyJpeg(marker: number, bits: number): Buffer {
  const size = Buffer.concat([toUint(4000, 2), toUint(6000, 2)])
  const frame = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, marker, 0, 17, bits]), size])
  const components = Buffer.from([3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0])
  return Buffer.concat([frame, components, Buffer.from([0xff, 0xda]), Buffer.alloc(50_000, 9)])
}

/** The pixels of a sensor. */
const losslessJpeg = emptyJpeg(0xc3, 14)

type Parts = {
  full: Buffer
  preview: Buffer
  thumbnail: Buffer
  /** Returns the main directory: the camera, the EXIF directory with `exif`, the location if the file has one, and `more`. */
  main: (make: string, more: Directory, exif?: Directory) => Directory
  /** The XMP packet of a file with a location. */
  xmp: string | null
  gps: Directory | null
}

const sizes = { full: [600, 400], preview: [320, 214], thumbnail: [160, 120], tile: [512, 512] } as const
type Size = keyof typeof sizes

export type RawLayout = {
  kind: RawKind
  layout: string
  /** The largest picture. Those of HEVC have no pixels. */
  largest: Size
  format: 'jpeg' | 'hevc'
  build: (parts: Parts) => Buffer
}

/** All raw files have this orientation. */
export const rawOrientation = 6
export const rawPictureSize = ({ largest }: RawLayout): { width: number; height: number } => {
  const [width, height] = sizes[largest]
  return { width, height }
}

let plainPictures: Record<Exclude<Size, 'tile'>, Promise<Buffer>> | undefined
const createPicture = (size: Size): Promise<Buffer> => jpeg({ width: sizes[size][0], height: sizes[size][1] })

type RawOptions = {
  /** With a location in the metadata of the file and in that of each picture. */
  isLocated?: boolean
  /** A JPEG in place of all but the thumbnail. */
  picture?: Buffer
}

/** Returns a file with real JPEG pictures. */
export async function createRawFile(
  { build }: RawLayout,
  { isLocated = false, picture }: RawOptions = {},
): Promise<Buffer<ArrayBuffer>> {
  const location = isLocated ? locationEntries : []
  const main = (make: string, more: Directory, exif: Directory = []): Directory => [
    [tags.make, make],
    [tags.model, 'One'],
    [tags.orientation, { short: rawOrientation }],
    [tags.exif, { directories: [[...exifEntries, ...exif]] }],
    ...location,
    ...more,
  ]
  const exif = segment(Buffer.concat([Buffer.from('Exif\0\0'), createTiff([main('Maker', [])])]))
  const xmp = segment(Buffer.from(`http://ns.adobe.com/xap/1.0/\0${locatedXmp}`))
  const withMetadata = async (plain: Promise<Buffer> | Buffer): Promise<Buffer> => {
    const bytes = await plain
    return Buffer.concat([bytes.subarray(0, 2), exif, ...(isLocated ? [xmp] : []), bytes.subarray(2)])
  }
  plainPictures ??= {
    full: createPicture('full'),
    preview: createPicture('preview'),
    thumbnail: createPicture('thumbnail'),
  }
  const file = build({
    full: await withMetadata(picture ?? plainPictures.full),
    preview: await withMetadata(picture ?? plainPictures.preview),
    thumbnail: await withMetadata(plainPictures.thumbnail),
    main,
    xmp: isLocated ? locatedXmp : null,
    gps: isLocated ? gpsEntries : null,
  })
  return Buffer.from(file)
}

const segment = (payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, 0xe1]), toUint(payload.length + 2, 2), payload])

function createNef({ main }: Parts, order: 'II' | 'MM', subDirectories: Directory[], note?: Buffer): Buffer {
  const thumbnail = stripOf(Buffer.alloc(160 * 120 * 3), 1, 2)
  const directories: Directory = [[tags.subDirectories, { directories: [...subDirectories, sensorStrip(34_713)] }]]
  const exif: Directory = note ? [[tags.makerNote, note]] : []
  return createTiff([main('NIKON CORPORATION', [...thumbnail, ...directories], exif)], order)
}

/** The note of Nikon is a separate TIFF. */
const nikonNote = (preview: Buffer, order: 'II' | 'MM'): Buffer =>
  Buffer.concat([
    Buffer.from('Nikon\0\x02\x10\0\0', 'latin1'),
    createTiff([[[0x0011, { directories: [jpegOf(preview)] }]]], order),
  ])

function createOrf({ main }: Parts, order: 'II' | 'MM', start: string, note: Value): Buffer {
  const directory = main('OLYMPUS CORPORATION', stripOf(sensorData, 1, 1), [[tags.makerNote, note]])
  return createTiff([directory], order, tiffHeader(order, start))
}

const noteStart = (start: string): Buffer => Buffer.from(start, 'latin1')

const olympusSettings = (start: Value, length: number): Directory => [
  [0x0100, 1],
  [0x0101, start],
  [0x0102, length],
]

/** The offsets of newer notes count from the start of the note. */
const olympusNote = (preview: Buffer, start: string): Buffer => {
  const directories = [olympusSettings({ offsetOf: preview }, preview.length)]
  return createTiff([[[0x2020, { directories }]]], 'II', noteStart(start))
}

/** Those of older ones count from the start of the file. */
const olderOlympusNote = (preview: Buffer): Value => ({
  note: (append) => {
    const settings = createTiff([olympusSettings(append(preview), preview.length)], 'MM', noteStart(''))
    return createTiff([[[0x2020, append(settings)]]], 'MM', noteStart('OLYMP\0\x01\0'))
  },
})

const pentaxSettings = (start: Value, length: number): Directory => [
  [3, length],
  [4, start],
]
const pentaxNote = (preview: Buffer): Buffer =>
  createTiff([pentaxSettings({ offsetOf: preview }, preview.length)], 'MM', noteStart('PENTAX \0MM'))
const olderPentaxNote = (preview: Buffer): Value => ({
  note: (append) => createTiff([pentaxSettings(append(preview), preview.length)], 'MM', noteStart('AOC\0MM')),
})

const createPef = ({ main }: Parts, next: Directory[], note?: Value): Buffer => {
  const exif: Directory = note ? [[tags.makerNote, note]] : []
  return createTiff([main('PENTAX', sensorStrip(65_535), exif), ...next], 'MM')
}

const createDng = ({ main }: Parts, first: Directory, directories: Directory[]): Buffer =>
  createTiff([
    main('Maker', [...first, [tags.dngVersion, Buffer.from([1, 4, 0, 0])], [tags.subDirectories, { directories }]]),
  ])

function createRaf({ full }: Parts): Buffer {
  const header = Buffer.alloc(160)
  header.write('FUJIFILMCCD-RAW 0201FF159502X-T4')
  header.writeUInt32BE(header.length, 84)
  header.writeUInt32BE(full.length, 88)
  return Buffer.concat([header, full, sensorData])
}

const uuid = (id: string, ...content: Buffer[]): Buffer => box('uuid', Buffer.from(id, 'hex'), ...content)
const sizeOf = (size: Size): Buffer => Buffer.concat(sizes[size].map((side) => toUint(side, 2)))
const pictureBox = (type: 'THMB' | 'PRVW', size: Size, data: Buffer): Buffer => {
  const length = toUint(data.length, 4)
  return type === 'THMB'
    ? box(type, toUint(0, 4), sizeOf(size), length, toUint(0x00010000, 4), data)
    : box(type, toUint(0, 4), toUint(1, 2), sizeOf(size), toUint(1, 2), length, data)
}

/** The data of a picture without pixels: its length and a unit. */
const hevcUnit = Buffer.concat([toUint(40, 4), Buffer.alloc(40, 0x26)])
const hevcConfiguration = box('hvcC', Buffer.alloc(60, 1))
const hevcPicture = Buffer.concat([
  box('CISZ', Buffer.alloc(8)),
  hevcConfiguration,
  box('IMGD', toUint(hevcUnit.length, 4), hevcUnit),
])
const hevcBox = (tiles: number): Buffer =>
  box('HEVC', toUint(1, 4), box('GRID', toUint(0, 4), toUint(tiles, 4), Buffer.alloc(8)), hevcConfiguration)

type Cr3Options = { thumbnail: Buffer; preview: Buffer; previewSize?: Size; track?: { data: Buffer; codec: Buffer } }

function createCr3(
  { main, gps, xmp }: Parts,
  { thumbnail, preview, previewSize = 'preview', track }: Cr3Options,
): Buffer {
  const metadata = uuid(
    '85c0b687820f11e08111f4ce462b6a48',
    box('CNCV', Buffer.from('CanonCR3_001/00.10.00/00.00.00')),
    // The EXIF directory has its own box.
    box('CMT1', createTiff([main('Maker', []).filter(([tag]) => tag !== tags.exif && tag !== 0x8825)])),
    box('CMT2', createTiff([exifEntries])),
    ...(gps ? [box('CMT4', createTiff([gps]))] : []),
    pictureBox('THMB', 'thumbnail', thumbnail),
  )
  const others = [
    ...(xmp ? [uuid('be7acfcb97a942e89c71999491e3afac', Buffer.from(xmp))] : []),
    uuid('eaf42b5e1c984b88b9fbb7dc406e4d16', Buffer.alloc(8), pictureBox('PRVW', previewSize, preview)),
  ]
  const data = Buffer.concat([track?.data ?? Buffer.alloc(0), sensorData])
  const movie = (dataAt: number): Buffer =>
    box('moov', metadata, box('mvhd', Buffer.alloc(100)), ...(track ? [trackOf(track, dataAt)] : []))
  const start = [typeBox('crx '), movie(0), ...others]
  const dataAt = start.reduce((sum, { length }) => sum + length, 8)
  return Buffer.concat([typeBox('crx '), movie(dataAt), ...others, box('mdat', data)])
}

function trackOf({ data, codec }: { data: Buffer; codec: Buffer }, at: number): Buffer {
  const fields = Buffer.alloc(82)
  sizeOf('full').copy(fields, 24)
  const table = box(
    'stbl',
    box('stsd', toUint(0, 4), toUint(1, 4), box('CRAW', fields, codec)),
    box('stsz', toUint(0, 4), toUint(data.length, 4), toUint(1, 4)),
    box('co64', toUint(0, 4), toUint(1, 4), toUint(0, 4), toUint(at, 4)),
  )
  return box('trak', box('tkhd', Buffer.alloc(84)), box('mdia', box('minf', table)))
}

type Build = RawLayout['build']
const layout = (kind: RawKind, layout: string, largest: Size, build: Build, format: 'jpeg' | 'hevc' = 'jpeg') => ({
  kind,
  layout,
  largest,
  build,
  format,
})

const jpegBox = box('JPEG', Buffer.alloc(4))

export const rawLayouts: RawLayout[] = [
  layout('cr2', 'a strip of IFD0, and lossless JPEG in IFD3', 'full', ({ main, full, thumbnail }) =>
    createTiff(
      [main('Maker', stripOf(full, 6)), jpegOf(thumbnail), stripOf(sensorData, 6, 2), stripOf(losslessJpeg, 6)],
      'II',
      tiffHeader('II', 'II*\0', 'CR\x02\0\0\0\0\0'),
    ),
  ),
  layout('nef', 'a sub-directory', 'full', (parts) => createNef(parts, 'MM', [jpegOf(parts.full)])),
  layout('nef', 'three sub-directories and a maker note', 'full', (parts) =>
    createNef(parts, 'II', [jpegOf(parts.preview), jpegOf(parts.full)], nikonNote(parts.thumbnail, 'II')),
  ),
  layout('nef', 'the maker note', 'preview', (parts) => createNef(parts, 'MM', [], nikonNote(parts.preview, 'MM'))),
  layout('arw', 'IFD0', 'preview', ({ main, preview, thumbnail }) =>
    createTiff([
      main('SONY', [...jpegOf(preview), [tags.subDirectories, { directories: [sensorStrip(32_767)] }]]),
      jpegOf(thumbnail),
    ]),
  ),
  layout('arw', 'a directory after the thumbnail', 'full', ({ main, full, preview, thumbnail }) =>
    createTiff([
      main('SONY', [
        ...jpegOf(preview),
        [tags.subDirectories, { directories: [tileOf(losslessJpeg, 7, colorFilterArray)] }],
      ]),
      jpegOf(thumbnail),
      jpegOf(full),
    ]),
  ),
  layout('raf', 'the header', 'full', createRaf),
  layout('orf', 'the settings of OLYMPUS', 'preview', (parts) =>
    createOrf(parts, 'II', 'IIRO', olympusNote(parts.preview, 'OLYMPUS\0II\x03\0')),
  ),
  layout('orf', 'the settings of OM SYSTEM', 'full', (parts) =>
    createOrf(parts, 'II', 'IIRS', olympusNote(parts.full, 'OM SYSTEM\0\0\0II\x04\0')),
  ),
  layout('orf', 'the settings of OLYMP', 'preview', (parts) =>
    createOrf(parts, 'MM', 'MMOR', olderOlympusNote(parts.preview)),
  ),
  layout('rw2', 'a value of IFD0', 'preview', ({ main, preview }) =>
    createTiff([main('Panasonic', [[0x002e, preview]])], 'II', tiffHeader('II', 'IIU\0')),
  ),
  layout('rw2', 'the second value of IFD0', 'full', ({ main, full, preview }) =>
    createTiff(
      [
        main('Panasonic', [
          [0x002e, preview],
          [0x0127, full],
        ]),
      ],
      'II',
      tiffHeader('II', 'IIU\0'),
    ),
  ),
  layout('dng', 'a sub-directory, IFD0 has a thumbnail', 'full', (parts) =>
    createDng(parts, stripOf(Buffer.alloc(256 * 171 * 3), 1, 2), [
      tileOf(losslessJpeg, 7, colorFilterArray),
      stripOf(parts.preview, 7),
      stripOf(parts.full, 7),
    ]),
  ),
  layout('dng', 'IFD0, beside linear pixels and JPEG XL', 'preview', (parts) =>
    createDng(parts, stripOf(parts.preview, 7), [
      tileOf(emptyJpeg(0xc0, 8), 7, 34_892),
      stripOf(Buffer.concat([Buffer.from('\xff\x0a', 'latin1'), Buffer.alloc(9000)]), 52_546),
      stripOf(emptyJpeg(0xc1, 12), 7),
    ]),
  ),
  layout('pef', 'IFD2', 'full', (parts) => createPef(parts, [jpegOf(parts.thumbnail), jpegOf(parts.full)])),
  layout('pef', 'the maker note of AOC', 'preview', (parts) =>
    createPef(parts, [jpegOf(parts.thumbnail)], olderPentaxNote(parts.preview)),
  ),
  layout('pef', 'the maker note of PENTAX', 'preview', (parts) =>
    createPef(parts, [jpegOf(parts.thumbnail)], pentaxNote(parts.preview)),
  ),
  layout('cr3', 'the first track', 'full', (parts) =>
    createCr3(parts, { ...parts, track: { data: parts.full, codec: jpegBox } }),
  ),
  layout('cr3', 'the preview', 'preview', (parts) => createCr3(parts, parts)),
  layout(
    'cr3',
    'the preview in HEVC, beside a track in tiles',
    'preview',
    (parts) =>
      createCr3(parts, { thumbnail: hevcPicture, preview: hevcPicture, track: { data: hevcUnit, codec: hevcBox(4) } }),
    'hevc',
  ),
  layout(
    'cr3',
    'the first track in HEVC',
    'full',
    (parts) =>
      createCr3(parts, { thumbnail: hevcPicture, preview: hevcPicture, track: { data: hevcUnit, codec: hevcBox(1) } }),
    'hevc',
  ),
]

/** A CR3 file whose preview in HEVC has pixels. */
export const decodableCr3: RawLayout = {
  ...layout('cr3', 'a preview in HEVC with pixels', 'tile', (parts) =>
    createCr3(parts, { thumbnail: hevcPicture, preview: createHevcPreview(), previewSize: 'tile' }),
  ),
  format: 'hevc',
}

function createHevcPreview(): Buffer {
  const data = readSample('camera-tile.hevc')
  const configuration = box('hvcC', readSample('camera-tile.hvcc'))
  return Buffer.concat([box('CISZ', Buffer.alloc(8)), configuration, box('IMGD', toUint(data.length, 4), data)])
}

/** What programs show of a raw file. */
export async function readRawFacts(bytes: Buffer, kind: RawKind) {
  const tags = await readRawTags(
    new EditedFile(async (at, length) => bytes.subarray(at, at + length), bytes.length),
    kind,
  )
  return { capturedAt: getCaptureTime(tags), camera: parseCamera(tags) }
}
