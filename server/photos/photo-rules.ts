import type { SettingValues } from '../../contract/settings.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { type ImageKind, imageKinds } from '../platform/media/image-kinds.ts'
import type { ImageRejection } from '../platform/media/image-tasks.ts'
import type { VideoHeader, VideoKind } from '../platform/media/video/video-header.ts'
import { createNotAllowedError, isKindAllowed, isVideoKindAllowed } from '../settings/file-type-rules.ts'

export const maxBufferedBytes = 300e6

/** Throws UNSUPPORTED_MEDIA_TYPE. */
export function assertDeclaredType(mimeType: string): void {
  if (!/^image\//i.test(mimeType)) {
    throw unsupported(
      'Send only images, with the content type image/jpeg, image/png or image/webp. Use chunked uploads for videos.',
    )
  }
}

export const acceptedImageKinds = (settings: SettingValues): ImageKind[] =>
  (Object.keys(imageKinds) as ImageKind[]).filter((kind) => isKindAllowed(kind, settings))

/** Returns UNSUPPORTED_MEDIA_TYPE, FILE_TYPE_NOT_ALLOWED or UNREADABLE_IMAGE. */
export function rejectedImageError({ cause, imageKind }: Pick<ImageRejection, 'cause' | 'imageKind'>): AppError {
  if (cause === 'size') return tooManyPixelsError()
  if (cause === 'damage') return new AppError('UNREADABLE_IMAGE')
  return imageKind === null
    ? unsupported('This image format is not supported. Export it as JPEG, PNG or WebP.')
    : createNotAllowedError(imageKinds[imageKind].extension.slice(1))
}

/** Throws FILE_TYPE_NOT_ALLOWED, and UNSUPPORTED_MEDIA_TYPE if the file is not a video or may refer to other files. */
export function validateVideo(header: VideoHeader | null, settings: SettingValues): VideoKind {
  if (header === null) {
    throw unsupported('This video format is not supported. Export it as MP4, M4V, MOV, WebM or AVI.')
  }
  if (!header.isSelfContained) {
    throw unsupported(
      'This video refers to other files, or its references cannot be checked. Export it as a self-contained video.',
    )
  }
  if (!isVideoKindAllowed(header.kind, settings)) throw new AppError('FILE_TYPE_NOT_ALLOWED')
  return header.kind
}

const unsupported = (text: string): AppError => new AppError('UNSUPPORTED_MEDIA_TYPE', { text })

/** Has the same problem code as a damaged image; the `kind` in the details distinguishes the two. */
const tooManyPixelsError = (): AppError =>
  new AppError('UNREADABLE_IMAGE', {
    text: 'The image has more pixels than this service can decode.',
    details: [{ path: '', message: 'has more pixels than this service can decode', kind: 'too_many_pixels' }],
  })
