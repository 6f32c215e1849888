import { imageFileTypes, multipartFileMegabytes, type SettingValues, videoFileTypes } from '../../contract/settings.ts'
import { type ImageKind, imageKinds } from '../platform/media/image-kinds.ts'
import type { VideoKind } from '../platform/media/video/video-header.ts'

/** HEIC is recognized for a clear error message, but not decoded. */
export const isDecodable = (kind: ImageKind): boolean =>
  (imageFileTypes as readonly string[]).includes(imageKinds[kind].extension.slice(1))

/** jpg and jpeg are the same type. */
const plainType = (type: string): string => (type === 'jpeg' ? 'jpg' : type)
/** mp4 and m4v are the same container. */
const plainVideoKind = (type: string): string => (type === 'm4v' ? 'mp4' : type)

const isAllowed = (type: string, settings: SettingValues, plain: (type: string) => string): boolean =>
  settings.general_allowed_file_types.split(',').some((allowed) => plain(allowed.trim().toLowerCase()) === plain(type))

export const isKindAllowed = (kind: ImageKind, settings: SettingValues): boolean =>
  isAllowed(imageKinds[kind].extension.slice(1), settings, plainType)

export const isVideoKindAllowed = (kind: VideoKind, settings: SettingValues): boolean =>
  isAllowed(kind, settings, plainVideoKind)

const videoExtensions = new Set<string>(videoFileTypes)

/** Checks only the extension. A file with an unknown or no extension counts as an image. */
export const fileFamily = (filename: string): 'image' | 'video' =>
  videoExtensions.has(extensionOf(filename)) ? 'video' : 'image'

export const isExtensionAllowed = (filename: string, settings: SettingValues): boolean =>
  isAllowed(extensionOf(filename), settings, plainType)

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
