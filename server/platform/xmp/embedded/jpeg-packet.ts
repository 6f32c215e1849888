import { RejectedXmp } from '../rejected-xmp.ts'
import type { FileEdit, PacketPlace, ReadBytes } from './packet-place.ts'
import { findPictureList, type PictureList, shiftPictures } from './picture-list.ts'

const xmpName = Buffer.from('http://ns.adobe.com/xap/1.0/\0')
const exifName = Buffer.from('Exif\0')
const pictureListName = Buffer.from('MPF\0')
/** What the XMP specification allows in one segment. */
const maxPacketBytes = 65_502
const maxSegments = 2_000

type Segment = { marker: number; at: number; payloadAt: number; end: number; head: Buffer }

/** Extended XMP is in other segments, which stay. Throws RejectedXmp. */
export async function findJpegPacket(read: ReadBytes): Promise<PacketPlace> {
  const packets: Segment[] = []
  let list: PictureList | null = null
  let insertAt = 2
  let isLeading = true
  for await (const segment of readSegments(read)) {
    const isExif = segment.marker === 0xe1 && startsWith(segment, exifName)
    isLeading &&= segment.marker === 0xe0 || isExif
    if (isLeading) insertAt = segment.end
    if (segment.marker === 0xe1 && startsWith(segment, xmpName)) packets.push(segment)
    if (segment.marker === 0xe2 && startsWith(segment, pictureListName)) {
      const base = segment.payloadAt + pictureListName.length
      list ??= findPictureList(await read(base, segment.end - base), base)
    }
  }
  const [found, another] = packets
  if (another) throw new RejectedXmp('contradiction', 'The file has two XMP packets.')
  const packetAt = found && found.payloadAt + xmpName.length
  return {
    packet: found && packetAt !== undefined ? { at: packetAt, length: found.end - packetAt } : null,
    replace: (packet) => replaceSegment(packet, found ?? { at: insertAt, end: insertAt }, list),
  }
}

function replaceSegment(
  packet: Buffer,
  { at, end }: { at: number; end: number },
  list: PictureList | null,
): FileEdit[] {
  if (packet.length > maxPacketBytes) {
    throw new RejectedXmp('size', 'The XMP packet is full: a JPEG file has room for 64 KB.')
  }
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(2 + xmpName.length + packet.length, 2)
  const edit = { at, removed: end - at, inserted: Buffer.concat([head, xmpName, packet]) }
  const edits = [edit, ...(list ? shiftPictures(list, { at, bytes: edit.inserted.length - edit.removed }) : [])]
  return edits.sort((a, b) => a.at - b.at)
}

/** Throws RejectedXmp for bytes that no decoder expects. */
async function* readSegments(read: ReadBytes): AsyncGenerator<Segment> {
  const start = await read(0, 2)
  if (start[0] !== 0xff || start[1] !== 0xd8) throw damaged()
  let at = 2
  for (let count = 0; count < maxSegments; ) {
    const head = await read(at, 4)
    const [first, marker] = head
    if (first !== 0xff || marker === undefined || head.length < 4) throw damaged()
    if (marker === 0xff) at++
    else if (marker === 0xda || marker === 0xd9) return
    else {
      const isStandalone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
      const length = isStandalone ? 0 : head.readUInt16BE(2)
      if (!isStandalone && length < 2) throw damaged()
      const payloadAt = at + 4
      const end = at + 2 + length
      if (!isStandalone) yield { marker, at, payloadAt, end, head: await read(payloadAt, Math.min(32, length - 2)) }
      at = end
      count++
    }
  }
  throw damaged()
}

const startsWith = ({ head }: Segment, name: Buffer): boolean => head.subarray(0, name.length).equals(name)

const damaged = () => new RejectedXmp('structure', 'The file is not a JPEG file, or it is damaged.')
