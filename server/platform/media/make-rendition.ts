import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { Sharp } from 'sharp'
import type { RenditionFacts, RenditionTask } from './image-tasks.ts'
import { openPicture } from './open-picture.ts'

/**
 * Upright, in sRGB and without any metadata: nothing tells where and with what a picture was taken. Throws when the
 * file cannot be decoded to its end; what it has written by then is left to the caller.
 */
export async function makeRendition(task: RenditionTask): Promise<RenditionFacts> {
  const { picture } = await openPicture(task)
  const fitted = picture
    .autoOrient()
    .resize({ ...task.box, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
  const { width, height } = await encoded(fitted, task).toFile(task.targetPath)
  return { width, height, ...(await readBack(task)) }
}

function encoded(picture: Sharp, { format, quality, isKept }: RenditionTask): Sharp {
  // Effort 2: nearly half the time of the default 4 for 5 % more bytes.
  if (format === 'webp') return picture.webp({ quality, effort: 2 })
  if (format === 'png') return picture.png()
  // Optimised tables want the whole picture held; what is made for one answer is written as it is read.
  return picture.flatten({ background: '#ffffff' }).jpeg({ quality, optimiseCoding: isKept })
}

/** What is kept is durable from here on. */
async function readBack({ targetPath, isKept }: RenditionTask) {
  const file = await open(targetPath, 'r')
  try {
    const sha256 = createHash('sha256')
    const facts = { sizeBytes: 0, crc32: 0 }
    for await (const chunk of file.createReadStream({ autoClose: false })) {
      sha256.update(chunk)
      facts.crc32 = crc32(chunk, facts.crc32)
      facts.sizeBytes += chunk.length
    }
    if (isKept) await file.sync()
    return { ...facts, sha256: sha256.digest('hex') }
  } finally {
    await file.close()
  }
}
