import { must } from '../../contract/must.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { RenditionTask } from '../platform/media/image-tasks.ts'
import { ImageWorkerLost } from '../platform/media/image-workers.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { ReceivedFile } from '../platform/storage/received-file.ts'
import type { Logo } from './settings.ts'

const box = { width: 1024, height: 512 }

const maxBufferedBytes = 200e6

/** The storage prefix of logos. Only the logo that the settings name is in use. */
export const logoPrefix = 'branding'

/** Stores the picture as PNG without its metadata. Throws UNSUPPORTED_MEDIA_TYPE, UNREADABLE_IMAGE or StorageFull. */
export async function storeLogo(ctx: PlatformContext, file: ReceivedFile): Promise<Logo> {
  const { storage } = ctx
  const targetPath = await storage.stage()
  try {
    const { width, height, sizeBytes, sha256 } = await renderLogo(ctx, file.path, targetPath)
    const key = `${logoPrefix}/${sha256}.png`
    await storage.commit([{ stagedPath: targetPath, key }])
    return { key, sha256, width, height, sizeBytes }
  } finally {
    await storage.discard(targetPath)
  }
}

async function renderLogo({ imageWorkers, log }: PlatformContext, sourcePath: string, targetPath: string) {
  const task: RenditionTask = {
    kind: 'rendition',
    sourcePath,
    maxBufferedBytes,
    base: box,
    targets: [{ targetPath, box }],
    format: 'png',
    quality: 100,
    watermark: null,
    isKept: true,
    isOptimized: true,
    accepts: ['jpeg', 'png', 'webp'],
  }
  try {
    const result = await imageWorkers.run(task)
    if (result.outcome === 'made') return must(result.facts[0], 'a picture')
    if (result.cause === 'kind') {
      throw new AppError('UNSUPPORTED_MEDIA_TYPE', { text: 'The logo must be a JPEG, PNG or WebP image.' })
    }
    if (result.cause === 'size') throw new AppError('UNREADABLE_IMAGE', { text: 'The logo has too many pixels.' })
  } catch (error) {
    if (!(error instanceof ImageWorkerLost)) throw error
    log.warn('An image worker failed while processing a logo')
  }
  throw new AppError('UNREADABLE_IMAGE')
}
