import { must } from '../../contract/must.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { RenditionFacts, RenditionTarget, RenditionTask } from '../platform/media/image-tasks.ts'
import { ImageWorkerLost } from '../platform/media/image-workers.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { ReceivedFile } from '../platform/storage/received-file.ts'
import type { Logo } from './settings.ts'

const box = { width: 1024, height: 512 }
const iconBox = { width: 192, height: 192 }

const maxBufferedBytes = 200e6

/** The storage prefix of logos and their icons. Only those that the settings name are in use. */
export const logoPrefix = 'branding'

/** Stores the picture as PNG without its metadata. Throws UNSUPPORTED_MEDIA_TYPE, UNREADABLE_IMAGE or StorageFull. */
export async function storeLogo(ctx: PlatformContext, file: ReceivedFile): Promise<Logo> {
  const { storage } = ctx
  const logoFile = await storage.stage()
  const iconFile = await storage.stage()
  try {
    const made = await renderLogo(ctx, file.path, { targetPath: logoFile, box })
    const { tone, ...square } = await renderLogo(ctx, logoFile, { targetPath: iconFile, box: iconBox, isPadded: true })
    const [logo, icon] = [toBrandFile(made), toBrandFile(square)]
    await storage.commit([
      { stagedPath: logoFile, key: logo.key },
      { stagedPath: iconFile, key: icon.key },
    ])
    const { width, height, isOpaque = true } = made
    return { ...logo, width, height, icon, isOpaque, ...(tone && { tone }) }
  } finally {
    await Promise.all([storage.discard(logoFile), storage.discard(iconFile)])
  }
}

const toBrandFile = ({ sha256, sizeBytes }: RenditionFacts) => ({
  key: `${logoPrefix}/${sha256}.png`,
  sha256,
  sizeBytes,
})

type Target = RenditionTarget & Pick<RenditionTask, 'isPadded'>

async function renderLogo({ imageWorkers, log }: PlatformContext, sourcePath: string, target: Target) {
  const { targetPath, isPadded = false } = target
  const task: RenditionTask = {
    kind: 'rendition',
    sourcePath,
    maxBufferedBytes,
    base: target.box,
    targets: [{ targetPath, box: target.box }],
    isPadded,
    format: 'png',
    quality: 100,
    watermark: null,
    isKept: true,
    isOptimized: true,
    checksOpacity: true,
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
