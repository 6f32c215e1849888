import { spawnSync } from 'node:child_process'
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeEach, expect, test } from 'vitest'
import { dngFile } from '../../../tests/support/media/dng-files.ts'
import { jpeg, jpegWithXmp } from '../../../tests/support/media/pictures.ts'
import { sidecarForms } from '../../../tests/support/media/sidecar-forms.ts'
import { requireOrSkip, requireProgram } from '../../../tests/support/run/requirements.ts'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
import { placeOf } from '../../../tests/support/storage/file-place.ts'
import { labelNames } from '../../feedback/marks/label-names.ts'
import { RejectedXmp } from '../../platform/xmp/rejected-xmp.ts'
import { readEmbedded, writeEmbedded } from './embedded-files.ts'
import type { MarkChange } from './file-marks.ts'

const change: MarkChange = {
  write: { rating: 5, color: 'green' },
  labels: labelNames.de,
  identity: 'photos.example.com/1/2',
  synced: '5 green',
}
const found = {
  marks: { rating: 5, color: 'green' },
  identity: change.identity,
  synced: { rating: 5, color_label: 'green' },
}

let folder: string
beforeEach(async () => {
  folder = await temporaryFolder()
})
async function write(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}

type Segment = { marker: number; bytes: Buffer }

/** Returns the segments of a JPEG file, and its picture from the first scan on. */
function splitJpeg(file: Buffer): { segments: Segment[]; picture: Buffer } {
  const segments: Segment[] = []
  let at = 2
  while (file[at + 1] !== 0xda) {
    const end = at + 2 + file.readUInt16BE(at + 2)
    segments.push({ marker: file[at + 1] as number, bytes: file.subarray(at, end) })
    at = end
  }
  return { segments, picture: file.subarray(at) }
}

const isXmp = ({ bytes }: Segment): boolean => bytes.toString('latin1', 4, 33) === 'http://ns.adobe.com/xap/1.0/\0'
const segment = (marker: number, payload: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(payload.length + 2, 2)
  return Buffer.concat([head, payload])
}

async function expectOnlyXmpChanged(before: Buffer, path: string): Promise<void> {
  const [old, now] = [splitJpeg(before), splitJpeg(await readFile(path))]
  expect(now.picture.equals(old.picture)).toBe(true)
  const others = ({ segments }: typeof old) =>
    segments.filter((one) => !isXmp(one)).map(({ bytes }) => bytes.toString('hex'))
  expect(others(now)).toEqual(others(old))
}

test.each(Object.entries(sidecarForms))(
  'JPEG files with a packet of %s keep every byte that is no mark',
  async (program, form) => {
    const before = await jpegWithXmp(form({ rating: '2', label: 'Red' }))
    const path = await write(`${program}.jpg`, before)
    expect(await writeEmbedded(placeOf(path), change, false)).toBe(true)
    expect(await readEmbedded(placeOf(path))).toMatchObject(found)
    await expectOnlyXmpChanged(before, path)
    expect(await writeEmbedded(placeOf(path), change, false)).toBe(false)
    const [packet] = splitJpeg(before).segments.filter(isXmp)
    expect(await readFile(join(folder, `.${program}.jpg.xmp.before-proofroom`))).toEqual(packet?.bytes.subarray(33))
  },
)

test('JPEG files without a packet get one after the EXIF data, whose later changes do not change the length', async () => {
  const before = await sharp(await jpeg())
    .withExif({ IFD0: { Artist: 'Ana' } })
    .withIccProfile('p3')
    .jpeg()
    .toBuffer()
  const path = await write('none.jpg', before)
  expect(await readEmbedded(placeOf(path))).toBeNull()
  expect(await writeEmbedded(placeOf(path), change, true)).toBe(true)
  expect((await readFile(path)).equals(before)).toBe(true)
  await writeEmbedded(placeOf(path), change, false)
  await expectOnlyXmpChanged(before, path)
  const { segments } = splitJpeg(await readFile(path))
  expect(segments.findIndex(isXmp)).toBe(
    segments.findIndex(({ bytes }) => bytes.toString('latin1', 4, 8) === 'Exif') + 1,
  )
  expect((await stat(join(folder, '.none.jpg.xmp.before-proofroom'))).size).toBe(0)
  const { size } = await stat(path)
  await writeEmbedded(placeOf(path), { ...change, write: { rating: null, color: 'purple' }, notes: 'Ana: yes' }, false)
  expect((await stat(path)).size).toBe(size)
  expect((await sharp(path).metadata()).width).toBe(60)
})

test('JPEG files keep their permissions, also those against writing', async () => {
  const path = await write('shared.jpg', await jpeg())
  await chmod(path, 0o664)
  const umask = process.umask(0o077)
  await writeEmbedded(placeOf(path), change, false).finally(() => process.umask(umask))
  expect((await stat(path)).mode & 0o777).toBe(0o664)
  await chmod(path, 0o444)
  const other = { ...change, write: { rating: 1 } }
  await expect(writeEmbedded(placeOf(path), other, false)).rejects.toThrow('The file is write-protected.')
  expect(await readEmbedded(placeOf(path))).toMatchObject(found)
})

test('JPEG files keep extended XMP, and the places of further pictures', async () => {
  const plain = await jpegWithXmp(sidecarForms.exiftool({ rating: '1', label: null }))
  const [xmp] = splitJpeg(plain).segments.filter(isXmp)
  const extended = segment(
    0xe1,
    Buffer.from(`http://ns.adobe.com/xmp/extension/\0${'A'.repeat(32)}${'\0'.repeat(8)}<x/>`),
  )
  const list = Buffer.alloc(4 + 8 + 2 + 12 + 4 + 32)
  list.write('MPF\0MM\0*', 'latin1')
  list.writeUInt32BE(8, 8)
  list.writeUInt16BE(1, 12)
  list.writeUInt16BE(0xb002, 14)
  list.writeUInt16BE(7, 16)
  list.writeUInt32BE(32, 18)
  list.writeUInt32BE(26, 22)
  const listed = segment(0xe2, list)
  const second = await jpeg({ seed: 9 })
  const place = (parts: Buffer[]) => {
    const first = Buffer.concat(parts)
    const base = first.indexOf('MPF\0') + 4
    first.writeUInt32BE(first.length, base + 26 + 4)
    first.writeUInt32BE(first.length - base, base + 26 + 16 + 8)
    return Buffer.concat([first, second])
  }
  const rest = plain.subarray(2 + (xmp?.bytes.length ?? 0))
  const start = plain.subarray(0, 2)
  const orders = {
    before: [start, xmp?.bytes as Buffer, extended, listed, rest],
    after: [start, listed, extended, xmp?.bytes as Buffer, rest],
  }
  for (const [name, parts] of Object.entries(orders)) {
    const before = place(parts)
    const path = await write(`${name}.jpg`, before)
    await writeEmbedded(placeOf(path), change, false)
    const file = await readFile(path)
    expect(file.length).toBeGreaterThan(before.length)
    const base = file.indexOf('MPF\0') + 4
    const [firstSize, offset] = [file.readUInt32BE(base + 26 + 4), file.readUInt32BE(base + 26 + 16 + 8)]
    expect([name, firstSize, base + offset]).toEqual([name, file.length - second.length, file.length - second.length])
    expect(file.subarray(base + offset).equals(second)).toBe(true)
    expect(file.includes(extended)).toBe(true)
  }
})

test('JPEG files are left alone if they are damaged, or have no room', async () => {
  const packet = sidecarForms.exiftool({ rating: '1', label: null })
  const full = packet.replace('a > b', 'a'.repeat(65_502 - Buffer.byteLength(packet) + 5))
  const once = await jpegWithXmp(packet)
  const xmp = splitJpeg(once).segments.filter(isXmp)[0]?.bytes as Buffer
  const fullSegment = segment(0xe1, Buffer.concat([xmp.subarray(4, 33), Buffer.from(full)]))
  const files = {
    'text.jpg': Buffer.from('no picture'),
    'cut.jpg': once.subarray(0, 100),
    'twice.jpg': Buffer.concat([once.subarray(0, 2), xmp, once.subarray(2)]),
    'full.jpg': Buffer.concat([once.subarray(0, 2), fullSegment, once.subarray(2 + xmp.length)]),
    'broken.jpg': await jpegWithXmp('<broken'),
    'text.dng': Buffer.from('no picture'),
    'cut.dng': dngFile({ packet: Buffer.from(packet) }).subarray(0, 100),
  }
  for (const [name, bytes] of Object.entries(files)) {
    const path = await write(name, bytes)
    await expect(writeEmbedded(placeOf(path), change, false), name).rejects.toThrow(RejectedXmp)
    expect((await readFile(path)).equals(bytes), name).toBe(true)
  }
  expect((await readdir(folder)).filter((name) => name.endsWith('-part'))).toEqual([])
})

test.each([false, true])('DNG files keep all other bytes in their places, big-endian: %s', async (isBigEndian) => {
  const packet = Buffer.from(sidecarForms.lightroom({ rating: '2', label: 'Red' }))
  const padded = Buffer.from(sidecarForms.bridge({ rating: '2', label: 'Red' }))
  for (const one of [null, packet, padded]) {
    const before = dngFile({ packet: one, isBigEndian })
    const path = await write(`${isBigEndian}-${one?.length}.dng`, before)
    expect(await writeEmbedded(placeOf(path), change, false)).toBe(true)
    expect(await readEmbedded(placeOf(path))).toMatchObject(found)
    expect(await writeEmbedded(placeOf(path), change, false)).toBe(false)
    const after = await readFile(path)
    if (one === padded) expect(after.length).toBe(before.length)
    const changed = [...before.keys()].filter((at) => before[at] !== after[at])
    const isAllowed = (at: number) =>
      (one === null && at >= 4 && at < 8) ||
      (one === packet && at >= 10 + 10 * 12 && at < 10 + 11 * 12) ||
      (one === padded && at >= before.indexOf(padded) && at < before.indexOf(padded) + padded.length)
    expect(changed.filter((at) => !isAllowed(at))).toEqual([])
    expect((await sharp(path).metadata()).width).toBe(4)
  }
})

test('exiftool reads what was embedded, without another warning than before', { tags: 'nightly' }, async ({ skip }) => {
  requireOrSkip(skip, [requireProgram('exiftool')])
  const packet = sidecarForms.lightroom({ rating: '2', label: 'Red' })
  const files: Record<string, Buffer> = {
    'none.jpg': await jpeg(),
    'packet.jpg': await jpegWithXmp(packet),
    'none.dng': dngFile(),
    'packet.dng': dngFile({ packet: Buffer.from(packet) }),
  }
  const read = (name: string) => {
    const tags = ['-validate', '-warning', '-Rating', '-Label', '-Photo', '-Exposure*', '-ImageWidth', '-DNGVersion']
    const { stdout } = spawnSync('exiftool', ['-json', '-a', ...tags, join(folder, name)])
    return JSON.parse(stdout.toString())[0]
  }
  for (const [name, bytes] of Object.entries(files)) {
    await writeFile(join(folder, name), bytes)
    const before = read(name)
    await writeEmbedded(placeOf(join(folder, name)), change, false)
    expect(read(name)).toEqual({ ...before, Rating: 5, Label: 'Grün', Photo: change.identity })
  }
})
