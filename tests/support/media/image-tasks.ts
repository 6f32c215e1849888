import { execFileSync } from 'node:child_process'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { RenditionTask, ThumbnailTask } from '../../../server/platform/media/image-tasks.ts'
import { defaultLimits, type ImageWorkerLimits, ImageWorkers } from '../../../server/platform/media/image-workers.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'
import { createImageFile, noisyPicture, plainPicture } from './image-files.ts'

/** Creates image workers that are closed when the test ends. */
export function workersForTest(limits: Partial<ImageWorkerLimits> = {}) {
  const workers = new ImageWorkers({ ...defaultLimits, ...limits })
  onTestFinished(() => workers.close())
  return workers
}

export async function createThumbnailTask(sourcePath: string): Promise<ThumbnailTask> {
  return {
    kind: 'thumbnail',
    sourcePath,
    thumbnailPath: join(await temporaryFolder(), 'thumbnail'),
    maxBufferedBytes: 300e6,
  }
}

export const createPictureTask = async (): Promise<ThumbnailTask> =>
  createThumbnailTask(await createImageFile(await plainPicture(60, 40).jpeg().toBuffer()))

export async function createRenditionTask(): Promise<RenditionTask> {
  const { kind, thumbnailPath, ...source } = await createPictureTask()
  const box = { width: 640, height: 640 }
  return {
    ...source,
    kind: 'rendition',
    base: box,
    targets: [{ targetPath: thumbnailPath, box }],
    format: 'jpeg',
    quality: 80,
    watermark: null,
    isKept: false,
    isOptimized: false,
  }
}

/**
 * Returns a task whose worker waits for a reader of its thumbnail, with its memory granted. `begun` resolves when the
 * worker has opened the file.
 */
export async function createEndlessTask() {
  const pipe = join(await temporaryFolder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  // Opening a pipe for reading waits until the worker opens it for writing.
  const begun = open(pipe, 'r')
  onTestFinished(async () => (await begun).close())
  // A thumbnail of noise does not fit into a pipe, which takes 64 KB.
  const sourcePath = await createImageFile(await noisyPicture(480, 480).jpeg({ quality: 95 }).toBuffer())
  return { task: { ...(await createThumbnailTask(sourcePath)), thumbnailPath: pipe }, begun }
}
