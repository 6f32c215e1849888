import type { Readable } from 'node:stream'
import { ImageWorkerLost } from '../platform/media/image-workers.ts'
import { writeStaged } from '../platform/storage/write-staged.ts'
import type { XmpMarks } from '../platform/xmp/read-xmp.ts'
import { maxXmpBytes } from '../platform/xmp/xmp-encoding.ts'
import type { AppContext } from '../settings/app-context.ts'

/**
 * An image worker reads the sidecar. Returns null for one without marks, one that cannot be read, and one that is too
 * large. Throws StorageFull and the errors of `open`.
 */
export async function readSidecarMarks(
  { storage, imageWorkers, log }: AppContext,
  { sizeBytes, open }: { sizeBytes: number; open: () => Promise<Readable> },
): Promise<XmpMarks | null> {
  if (sizeBytes > maxXmpBytes) {
    log.warn({ sizeBytes }, 'A sidecar is larger than 4 MB and was not read')
    return null
  }
  const { path: sourcePath } = await writeStaged(storage, await open())
  try {
    const result = await imageWorkers.run({ kind: 'read-sidecar', sourcePath })
    return result.outcome === 'made' ? result.facts.marks : null
  } catch (error) {
    if (!(error instanceof ImageWorkerLost)) throw error
    log.warn('An image worker failed while reading a sidecar')
    return null
  } finally {
    await storage.discard(sourcePath)
  }
}
