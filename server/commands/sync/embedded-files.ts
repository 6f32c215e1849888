import { type FileHandle, lstat } from 'node:fs/promises'
import { withParentFolder, withRegularFile } from '../../platform/storage/untrusted-files.ts'
import { t } from '../../platform/text/command-messages.ts'
import { findJpegPacket } from '../../platform/xmp/embedded/jpeg-packet.ts'
import type { FileEdit, PacketPlace, ReadBytes } from '../../platform/xmp/embedded/packet-place.ts'
import { findTiffPacket } from '../../platform/xmp/embedded/tiff-packet.ts'
import { RejectedXmp } from '../../platform/xmp/rejected-xmp.ts'
import { maxXmpBytes } from '../../platform/xmp/xmp-encoding.ts'
import { changePacket, type FileMarks, type MarkChange, newEmbeddedPacket, readFileMarks } from './file-marks.ts'
import { keepFirstPacket, replaceFile } from './replace-file.ts'

/** Files with their metadata inside, where photo programs look for it. */
export const canEmbed = (path: string): boolean => /\.(jpe?g|dng)$/i.test(path)

const windowBytes = 65_536
const copiedBytes = 2 ** 20

type PicturePlace = { root: string; path: string }

/** Returns null for a file without an XMP packet. Throws RejectedXmp, UnsafeFile and errors of the file system. */
export const readEmbedded = (place: PicturePlace): Promise<FileMarks | null> =>
  withRegularFile(place, async (file) => {
    const packet = await readPacket(file, await findPacket(file, place.path))
    return packet && readFileMarks(packet)
  })

/**
 * Writes marks into the XMP packet of a JPEG or DNG file, or gives it one. All other bytes stay. The first packet is
 * kept beside the file. Returns false if the file has the marks already. Throws RejectedXmp, UnsafeFile and errors of the
 * file system.
 */
export const writeEmbedded = (place: PicturePlace, change: MarkChange, isDryRun: boolean): Promise<boolean> =>
  withRegularFile(place, async (source) => {
    const before = await source.stat()
    const found = await findPacket(source, place.path)
    const packet = await readPacket(source, found)
    const changed = changePacket(packet ?? newEmbeddedPacket, change)
    if (changed === null) return false
    const edits = found.replace(changed)
    if (isDryRun) return true
    await keepFirstPacket(place, packet ?? Buffer.alloc(0))
    await replaceFile(place, before.mode & 0o777, async (target) => {
      await copyEdited(source, target, edits)
      const written = await readPacket(target, await findPacket(target, place.path))
      if (!written?.equals(changed)) throw new RejectedXmp('structure', t('fileUneditable'))
      // Another program may have written it since it was read.
      const after = await withParentFolder(place, (folder, name) => lstat(folder.at(name)))
      if (after.mtimeMs !== before.mtimeMs || after.size !== before.size || after.ino !== before.ino) {
        throw new RejectedXmp('structure', t('fileInUse'))
      }
    })
    return true
  })

async function findPacket(file: FileHandle, path: string): Promise<PacketPlace> {
  const read = throughWindow(file)
  return /\.dng$/i.test(path) ? findTiffPacket(read, (await file.stat()).size) : findJpegPacket(read)
}

async function readPacket(file: FileHandle, { packet }: PacketPlace): Promise<Buffer | null> {
  if (packet === null) return null
  if (packet.length > maxXmpBytes) throw new RejectedXmp('size', t('packetTooLarge'))
  return readAt(file, packet.at, packet.length)
}

/** Reads larger parts than are asked for, because the parts of a header are small and near each other. */
function throughWindow(file: FileHandle): ReadBytes {
  let window: { at: number; bytes: Buffer } = { at: 0, bytes: Buffer.alloc(0) }
  return async (at, length) => {
    const isInside = at >= window.at && at + length <= window.at + window.bytes.length
    if (!isInside) window = { at, bytes: await readAt(file, at, Math.max(length, windowBytes)) }
    return window.bytes.subarray(at - window.at, at - window.at + length)
  }
}

async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, at + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}

async function copyEdited(source: FileHandle, target: FileHandle, edits: readonly FileEdit[]): Promise<void> {
  const { size } = await source.stat()
  let at = 0
  for (const { at: place, removed, inserted } of edits) {
    await copyRange(source, target, at, place)
    await target.writeFile(inserted)
    at = place + removed
  }
  await copyRange(source, target, at, size)
}

async function copyRange(source: FileHandle, target: FileHandle, start: number, end: number): Promise<void> {
  for (let at = start; at < end; ) {
    const bytes = await readAt(source, at, Math.min(copiedBytes, end - at))
    if (bytes.length === 0) return
    await target.writeFile(bytes)
    at += bytes.length
  }
}
