import { extname } from 'node:path'
import { imageKinds } from './image-kinds.ts'
import { videoKinds } from './video/video-header.ts'

const byExtension = new Map(
  [...Object.values(imageKinds), ...Object.values(videoKinds)].map(({ extension, mimeType }) => [extension, mimeType]),
)

/** Uses the extension of the stored file, never the type that a client sent. */
export const getContentType = (filename: string): string =>
  byExtension.get(extname(filename).toLowerCase()) ?? 'application/octet-stream'
