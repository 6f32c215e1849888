import { readImageHeader } from '../platform/media/image-header.ts'
import { readVideoHeader } from '../platform/media/video-header.ts'
import type { StagedFile } from '../platform/storage/write-staged.ts'
import type { AppContext } from '../settings/app-context.ts'
import { judgeImage, judgeVideo } from './photo-rules.ts'

/** Whether a staged file is what can come in, by its header alone. Throws what `judgeImage` and `judgeVideo` throw. */
export async function judgeContent(
  { settings }: AppContext,
  { path, sizeBytes, head }: StagedFile,
  family: 'image' | 'video',
): Promise<void> {
  const values = await settings.values()
  if (family === 'image') judgeImage(await readImageHeader(path, head), values)
  else judgeVideo(await readVideoHeader(path, sizeBytes, head), values)
}
