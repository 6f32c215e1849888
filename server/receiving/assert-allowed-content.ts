import { validateImage, validateVideo } from '../photos/photo-rules.ts'
import { readImageHeader } from '../platform/media/image-header.ts'
import { readVideoHeader } from '../platform/media/video-header.ts'
import type { StagedFile } from '../platform/storage/write-staged.ts'
import type { AppContext } from '../settings/app-context.ts'

/** Throws the errors of `validateImage` and `validateVideo`. */
export async function assertAllowedContent(
  { settings }: AppContext,
  { path, sizeBytes, head }: StagedFile,
  family: 'image' | 'video',
): Promise<void> {
  const values = await settings.values()
  if (family === 'image') validateImage(await readImageHeader(path, head), values)
  else validateVideo(await readVideoHeader(path, sizeBytes, head), values)
}
