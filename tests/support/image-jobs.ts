import { execFileSync } from 'node:child_process'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { RenditionTask, ThumbnailTask } from '../../server/platform/media/image-tasks.ts'
import { createImageWorkers, defaultLimits, type ImageWorkerLimits } from '../../server/platform/media/image-workers.ts'
import { imageFile, plainPicture } from './image-files.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Closed when the test ends. */
export function workersForTest(limits: Partial<ImageWorkerLimits> = {}) {
  const workers = createImageWorkers({ ...defaultLimits, ...limits })
  onTestFinished(workers.close)
  return workers
}

export async function taskFor(sourcePath: string): Promise<ThumbnailTask> {
  return {
    kind: 'thumbnail',
    sourcePath,
    thumbnailPath: join(await temporaryFolder(), 'thumbnail'),
    maxHeldBytes: 300e6,
  }
}

export const pictureTask = async (): Promise<ThumbnailTask> =>
  taskFor(await imageFile(await plainPicture(60, 40).jpeg().toBuffer()))

export async function renditionTask(): Promise<RenditionTask> {
  const { kind, thumbnailPath, ...source } = await pictureTask()
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
    isOptimised: false,
  }
}

/** Returns a task whose worker waits for bytes that never arrive, until it is killed. */
export async function endlessJob() {
  const pipe = join(await temporaryFolder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  // Opening the pipe waits for its reader, so the promise resolves when the worker has started.
  const begun = open(pipe, 'w')
  onTestFinished(async () => (await begun).close())
  return { task: await taskFor(pipe), begun }
}
