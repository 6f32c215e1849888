import { createHash } from 'node:crypto'
import { jpeg } from '../media/pictures.ts'

/** The size of a chunk, and of a block in `computeTreeHash`. */
export const chunkBytes = 10_485_760

/** The start of each file. Decoders ignore the bytes after the end marker of this JPEG. */
const picture = await jpeg({ width: 600, height: 400 })
const recordBytes = 32

/**
 * A file whose chunks exist in any number of versions. Two versions differ in every complete record of 32 bytes, except
 * in the picture at the start of the file.
 */
export type VersionedFile = {
  sizeBytes: number
  chunks: number
  chunk: (index: number, version: number) => Buffer<ArrayBuffer>
}

/** The last chunk of the file must have at least 32 bytes, the size of a record. */
export function createVersionedFile(sizeBytes: number): VersionedFile {
  const getChunkSize = (index: number) => Math.min(chunkBytes, sizeBytes - index * chunkBytes)
  return {
    sizeBytes,
    chunks: Math.ceil(sizeBytes / chunkBytes),
    chunk(index, version) {
      const bytes = Buffer.alloc(getChunkSize(index)).fill(createRecord(index, version))
      if (index === 0) picture.copy(bytes)
      return bytes
    },
  }
}

/** Returns the version of each chunk. Throws when the size is wrong, or a chunk is not exactly one version. */
export function readVersions(file: VersionedFile, stored: Buffer): number[] {
  if (stored.length !== file.sizeBytes) throw new Error(`${stored.length} bytes are stored, not ${file.sizeBytes}`)
  return Array.from({ length: file.chunks }, (_, index) => {
    const found = stored.subarray(index * chunkBytes, (index + 1) * chunkBytes)
    const lastRecord = (Math.floor(found.length / recordBytes) - 1) * recordBytes
    const version = Number(/version (\d+)/.exec(found.toString('latin1', lastRecord, lastRecord + recordBytes))?.[1])
    const expected = file.chunk(index, version)
    if (found.equals(expected)) return version
    const at = found.findIndex((byte, position) => byte !== expected[position])
    const record = found.toString('latin1', at - (at % recordBytes), at - (at % recordBytes) + recordBytes)
    throw new Error(`Chunk ${index} is version ${version} at its end, and at byte ${at}: ${JSON.stringify(record)}`)
  })
}

/** Returns the SHA-256 of the binary SHA-256 digests of all blocks of `chunkBytes`. */
export function computeTreeHash(bytes: Buffer): string {
  const tree = createHash('sha256')
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    tree.update(
      createHash('sha256')
        .update(bytes.subarray(start, start + chunkBytes))
        .digest(),
    )
  }
  return tree.digest('hex')
}

function createRecord(index: number, version: number): Buffer {
  const text = `chunk ${index} version ${version}`
  return Buffer.from(`${text.padEnd(recordBytes - 1, '.')}\n`, 'latin1')
}
