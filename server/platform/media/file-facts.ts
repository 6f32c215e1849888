import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { RenditionFacts } from './image-tasks.ts'

export type FileFacts = Pick<RenditionFacts, 'sizeBytes' | 'sha256' | 'crc32'>

/** `isSynced`: also waits until the file is on the disk. */
export async function readFileFacts(path: string, { isSynced = false } = {}): Promise<FileFacts> {
  const file = await open(path, 'r')
  try {
    const sha256 = createHash('sha256')
    const facts = { sizeBytes: 0, crc32: 0 }
    for await (const chunk of file.createReadStream({ autoClose: false })) {
      sha256.update(chunk)
      facts.crc32 = crc32(chunk, facts.crc32)
      facts.sizeBytes += chunk.length
    }
    if (isSynced) await file.sync()
    return { ...facts, sha256: sha256.digest('hex') }
  } finally {
    await file.close()
  }
}
