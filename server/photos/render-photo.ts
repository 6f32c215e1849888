import type { Backends } from '../platform/backends.ts'
import { readImageHeader, renditionBytes } from '../platform/media/image-header.ts'
import type { RenditionFacts, RenditionTask } from '../platform/media/image-tasks.ts'
import { ImageWorkerLost } from '../platform/media/image-workers.ts'
import { Refusal } from '../platform/refusal.ts'
import { originalKey } from './photo-files.ts'
import type { PhotoRow } from './photo-rows.ts'
import { maxHeldBytes } from './photo-rules.ts'
import { sizeInside } from './rendition-rules.ts'

export type Rendering = Pick<RenditionTask, 'box' | 'format' | 'quality' | 'isKept'>

/**
 * Makes a smaller picture of a photo's original in an image worker, into a staged file that is then the caller's.
 * Throws FileMissing, PREVIEW_UNAVAILABLE for what cannot be decoded, StorageFull.
 */
export async function renderPhoto(
  backends: Backends,
  photo: PhotoRow,
  rendering: Rendering,
): Promise<{ stagedPath: string; facts: RenditionFacts }> {
  const { storage } = backends
  const { width, height } = sizeInside(photo, rendering.box)
  // No format takes more than a few bits for a pixel of a photo; PNG of noise takes all of them.
  await storage.ensureSpaceFor(width * height * (rendering.format === 'png' ? 4 : 1))
  const stagedPath = await storage.stage()
  try {
    const facts = await storage.withLocalFile(originalKey(photo.event_id, photo.filename), (sourcePath) =>
      render(
        backends,
        { ...rendering, kind: 'rendition', sourcePath, targetPath: stagedPath, maxHeldBytes },
        width * height,
      ),
    )
    return { stagedPath, facts }
  } catch (error) {
    await storage.discard(stagedPath)
    throw error
  }
}

async function render({ imageWorkers, log }: Backends, task: RenditionTask, pixels: number): Promise<RenditionFacts> {
  const header = await readImageHeader(task.sourcePath)
  if (!header) throw new Refusal('PREVIEW_UNAVAILABLE')
  try {
    const result = await imageWorkers.run(task, renditionBytes(header, task, pixels))
    if (result.outcome === 'made') return result.facts
    log.warn({ reason: result.reason }, 'A stored picture cannot be decoded')
  } catch (error) {
    if (!(error instanceof ImageWorkerLost)) throw error
    log.warn('An image worker was lost over a stored picture')
  }
  throw new Refusal('PREVIEW_UNAVAILABLE')
}
