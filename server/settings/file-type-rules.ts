import { convertedFileTypes, splitFileTypes, videoFileTypes } from '../../contract/files/file-types.ts'
import { multipartFileMegabytes, type SettingValues } from '../../contract/settings.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { type ImageKind, imageKinds } from '../platform/media/image-kinds.ts'
import type { VideoKind } from '../platform/media/video/video-header.ts'

/** Other names of a type. */
const sameTypes: Record<string, string> = { jpeg: 'jpg', tif: 'tiff', heif: 'heic', hif: 'heic' }
const plainType = (type: string): string => sameTypes[type] ?? type
/** mp4 and m4v are the same container. */
const plainVideoKind = (type: string): string => (type === 'm4v' ? 'mp4' : type)

const isAllowed = (type: string, settings: SettingValues, plain: (type: string) => string): boolean =>
  splitFileTypes(settings.general_allowed_file_types).some((allowed) => plain(allowed) === plain(type))

export const isKindAllowed = (kind: ImageKind, settings: SettingValues): boolean =>
  isAllowed(imageKinds[kind].extension.slice(1), settings, plainType)

export const isVideoKindAllowed = (kind: VideoKind, settings: SettingValues): boolean =>
  isAllowed(kind, settings, plainVideoKind)

const videoExtensions = new Set<string>(videoFileTypes)

/** Checks only the extension. A file with an unknown or no extension counts as an image. */
export const fileFamily = (filename: string): 'image' | 'video' =>
  videoExtensions.has(extensionOf(filename)) ? 'video' : 'image'

/**
 * Returns FILE_TYPE_NOT_ALLOWED. The text names the setting for a type that many operators have to allow first. `type`: an
 * extension without its dot.
 */
export function createNotAllowedError(type: string): AppError {
  const plain = plainType(type)
  if (!(convertedFileTypes as readonly string[]).includes(plain)) return new AppError('FILE_TYPE_NOT_ALLOWED')
  const text = `${plain.toUpperCase()} files are not allowed. The setting general_allowed_file_types can allow them (${plain}).`
  return new AppError('FILE_TYPE_NOT_ALLOWED', { text })
}

/** Returns FILE_TYPE_NOT_ALLOWED, or null for an allowed extension. */
export function findExtensionError(filename: string, settings: SettingValues): AppError | null {
  const type = extensionOf(filename)
  return isAllowed(type, settings, plainType) ? null : createNotAllowedError(type)
}

/** The size limit of one file. `multipartFileBytes` is a further limit for multipart uploads. */
export const maxBytesForFamily = (family: 'image' | 'video', settings: SettingValues): number =>
  (family === 'video' ? settings.general_max_video_size_mb : settings.general_max_file_size_mb) * 2 ** 20

/** Returns the extension in lower case without its dot; empty if there is none. */
function extensionOf(filename: string): string {
  const name = filename.split(/[/\\]/).at(-1)?.trim() ?? ''
  return /^\.*[^.].*\.([^.]+)$/s.exec(name)?.[1]?.trim().toLowerCase() ?? ''
}

/** The limit of a file in a multipart upload: 100 MiB, or the setting for images if it is lower. */
export const multipartFileBytes = (settings: SettingValues): number =>
  Math.min(multipartFileMegabytes, settings.general_max_file_size_mb) * 2 ** 20
