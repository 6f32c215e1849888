import { RejectedXmp } from '../rejected-xmp.ts'
import type { FileEdit, PacketPlace, ReadBytes } from './packet-place.ts'

const xmpTag = 700
const byteType = 1
const oneByteTypes = [byteType, 2, 7]
const entryBytes = 12
const maxEntries = 4_096
const maxFileBytes = 2 ** 32 - 1

type Order = {
  read16: (bytes: Buffer, at: number) => number
  read32: (bytes: Buffer, at: number) => number
  write: (values: Array<[size: 2 | 4, value: number]>) => Buffer
}

/**
 * For DNG files. What is in the file stays in its place: a packet that has become longer, or is new, is appended. Throws
 * RejectedXmp.
 */
export async function findTiffPacket(read: ReadBytes, fileBytes: number): Promise<PacketPlace> {
  const header = await read(0, 8)
  const order = readOrder(header)
  const directoryAt = order.read32(header, 4)
  const count = order.read16(await readWhole(read, directoryAt, 2), 0)
  if (count === 0 || count > maxEntries) throw damaged()
  const directory = await readWhole(read, directoryAt, 2 + count * entryBytes + 4)
  const entries = Array.from({ length: count }, (_, index) =>
    directory.subarray(2 + index * entryBytes).subarray(0, entryBytes),
  )
  const index = entries.findIndex((entry) => order.read16(entry, 0) === xmpTag)
  const entry = entries[index]
  if (!entry) {
    return { packet: null, replace: (packet) => addEntry(packet, { order, fileBytes, entries, directory }) }
  }
  const [type, length, at] = [order.read16(entry, 2), order.read32(entry, 4), order.read32(entry, 8)]
  if (!oneByteTypes.includes(type) || length <= 4 || at + length > fileBytes) throw damaged()
  const entryAt = directoryAt + 2 + index * entryBytes
  return {
    packet: { at, length },
    replace: (packet) => replacePacket(packet, { order, fileBytes, entryAt, at, length }),
  }
}

type KnownPacket = { order: Order; fileBytes: number; entryAt: number; at: number; length: number }

function replacePacket(packet: Buffer, { order, fileBytes, entryAt, at, length }: KnownPacket): FileEdit[] {
  const fits = packet.length <= length
  const appended = fits ? null : appendAt(fileBytes, packet)
  const place = order.write([
    [4, packet.length],
    [4, appended?.at ?? at],
  ])
  const edits = [
    ...(packet.length === length ? [] : [{ at: entryAt + 4, removed: place.length, inserted: place }]),
    appended?.edit ?? { at, removed: packet.length, inserted: packet },
  ]
  return edits.sort((a, b) => a.at - b.at)
}

/** The first directory has no room for another entry, so a copy with it is appended, as libtiff does. */
function addEntry(
  packet: Buffer,
  { order, fileBytes, entries, directory }: { order: Order; fileBytes: number; entries: Buffer[]; directory: Buffer },
): FileEdit[] {
  const pad = fileBytes % 2
  const directoryAt = fileBytes + pad
  const packetAt = directoryAt + 2 + (entries.length + 1) * entryBytes + 4
  const added = order.write([
    [2, xmpTag],
    [2, byteType],
    [4, packet.length],
    [4, packetAt],
  ])
  const sorted = [...entries, added].sort((a, b) => order.read16(a, 0) - order.read16(b, 0))
  const next = directory.subarray(-4)
  const inserted = Buffer.concat([Buffer.alloc(pad), order.write([[2, sorted.length]]), ...sorted, next, packet])
  assertSize(fileBytes + inserted.length)
  return [
    { at: 4, removed: 4, inserted: order.write([[4, directoryAt]]) },
    { at: fileBytes, removed: 0, inserted },
  ]
}

function appendAt(fileBytes: number, packet: Buffer): { at: number; edit: FileEdit } {
  const pad = fileBytes % 2
  assertSize(fileBytes + pad + packet.length)
  return {
    at: fileBytes + pad,
    edit: { at: fileBytes, removed: 0, inserted: Buffer.concat([Buffer.alloc(pad), packet]) },
  }
}

function assertSize(fileBytes: number): void {
  if (fileBytes > maxFileBytes) throw new RejectedXmp('size', 'The file is larger than 4 GB.')
}

function readOrder(header: Buffer): Order {
  const name = header.toString('latin1', 0, 2)
  const isLittleEndian = name === 'II'
  const read16 = (bytes: Buffer, at: number) => (isLittleEndian ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  const read32 = (bytes: Buffer, at: number) => (isLittleEndian ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  if (header.length < 8 || (name !== 'II' && name !== 'MM') || read16(header, 2) !== 42) throw damaged()
  const write: Order['write'] = (values) => {
    const bytes = values.map(([size, value]) => {
      const one = Buffer.alloc(size)
      if (isLittleEndian) one.writeUIntLE(value, 0, size)
      else one.writeUIntBE(value, 0, size)
      return one
    })
    return Buffer.concat(bytes)
  }
  return { read16, read32, write }
}

async function readWhole(read: ReadBytes, at: number, length: number): Promise<Buffer> {
  const bytes = await read(at, length)
  if (bytes.length < length) throw damaged()
  return bytes
}

const damaged = () => new RejectedXmp('structure', 'The file is not a DNG file, or it is damaged.')
