import { extname } from 'node:path'
import { imageKinds } from './image-header.ts'
import { videoKinds } from './video-header.ts'

const byExtension = new Map(
  [...Object.values(imageKinds), ...Object.values(videoKinds)].map(({ extension, mimeType }) => [extension, mimeType]),
)

/** From the extension of the stored file, never from what a client said. */
export const contentTypeOf = (filename: string): string =>
  byExtension.get(extname(filename).toLowerCase()) ?? 'application/octet-stream'
