import type { SettingValues } from '../../contract/settings.ts'
import { AppError } from '../platform/app-error.ts'
import { decodingBytes, type ImageHeader } from '../platform/media/image-header.ts'
import { maxPixels } from '../platform/media/image-tasks.ts'
import type { VideoHeader, VideoKind } from '../platform/media/video-header.ts'
import { isDecodable, isKindAllowed, isVideoKindAllowed } from '../settings/file-type-rules.ts'

/** What decoding one picture may take, at most. */
export const maxHeldBytes = 300e6

/** Anything not declared as an image is refused before it is stored. */
export function assertDeclaredType(mimeType: string): void {
  if (!/^image\//i.test(mimeType)) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', {
      text: 'Only images are taken here, and each must say that it is one: image/jpeg, image/png or image/webp. Videos come by chunked upload.',
    })
  }
}

/**
 * Checks a received file by its header, before anything is decoded: UNSUPPORTED_MEDIA_TYPE for what is no image,
 * FILE_TYPE_NOT_ALLOWED for a kind the settings leave out, UNREADABLE_IMAGE for what no budget holds.
 */
export function validateImage(header: ImageHeader | null, settings: SettingValues): ImageHeader {
  if (header === null || !isDecodable(header.kind)) throw noImage()
  if (!isKindAllowed(header.kind, settings)) throw new AppError('FILE_TYPE_NOT_ALLOWED')
  const { width, height } = header
  if (width !== null && height !== null) {
    if (width === 0 || height === 0) throw new AppError('UNREADABLE_IMAGE')
    if (width * height > maxPixels || decodingBytes(header) > maxHeldBytes) throw tooManyPixels()
  }
  return header
}

/**
 * Checks a received video by its container: UNSUPPORTED_MEDIA_TYPE for what is none, and for one that only points to
 * other files, FILE_TYPE_NOT_ALLOWED for a kind the settings leave out.
 */
export function validateVideo(header: VideoHeader | null, settings: SettingValues): VideoKind {
  if (header === null) throw noVideo()
  if (!header.isSelfContained) throw notSelfContained()
  if (!isVideoKindAllowed(header.kind, settings)) throw new AppError('FILE_TYPE_NOT_ALLOWED')
  return header.kind
}

const noVideo = (): AppError =>
  new AppError('UNSUPPORTED_MEDIA_TYPE', {
    text: 'This is not a video that can be taken here. Export it as MP4, M4V, MOV, WebM or AVI.',
  })

const notSelfContained = (): AppError =>
  new AppError('UNSUPPORTED_MEDIA_TYPE', {
    text: 'This movie refers to other files, or hides whether it does. Export it as a self-contained movie.',
  })

const noImage = (): AppError =>
  new AppError('UNSUPPORTED_MEDIA_TYPE', {
    text: 'This is not an image that can be taken here. Export it as JPEG, PNG or WebP.',
  })

/** The code is that of damaged images, by contract; its kind tells programs which of the two it is. */
export const tooManyPixels = (): AppError =>
  new AppError('UNREADABLE_IMAGE', {
    text: 'The image has more pixels than this service can decode.',
    details: [{ path: '', message: 'has more pixels than this service can decode', kind: 'too_many_pixels' }],
  })
