import { imageFileTypes, multipartFileMegabytes, type SettingValues, videoFileTypes } from '../../contract/settings.ts'
import { type ImageKind, imageKinds } from '../platform/media/image-header.ts'
import type { VideoKind } from '../platform/media/video-header.ts'

/** HEIC is recognised, to be refused by its name, but not decoded. */
export const isDecodable = (kind: ImageKind): boolean =>
  (imageFileTypes as readonly string[]).includes(imageKinds[kind].extension.slice(1))

/** Whether a kind of image may come in; jpg and jpeg mean each other. */
export function isKindAllowed(kind: ImageKind, settings: SettingValues): boolean {
  const allowed = settings.general_allowed_file_types.split(',').map((type) => type.trim().toLowerCase())
  const extension = imageKinds[kind].extension.slice(1)
  return allowed.includes(extension) || (kind === 'jpeg' && allowed.includes('jpeg'))
}

/** Whether a kind of video may come in; mp4 and m4v are one container and mean each other. */
export function isVideoKindAllowed(kind: VideoKind, settings: SettingValues): boolean {
  const plain = (type: string) => (type === 'm4v' ? 'mp4' : type)
  const allowed = settings.general_allowed_file_types.split(',').map((type) => plain(type.trim().toLowerCase()))
  return allowed.includes(plain(kind))
}

const videoExtensions = new Set<string>(videoFileTypes)

/** Whether a file is a photo or a video, by its extension; what has none or an unknown one counts as a photo. */
export const familyOf = (filename: string): 'image' | 'video' =>
  videoExtensions.has(extensionOf(filename)) ? 'video' : 'image'

/** Whether the settings let a file of this name in, in whatever case it is written; jpg and jpeg mean each other. */
export function isExtensionAllowed(filename: string, settings: SettingValues): boolean {
  const plain = (extension: string) => (extension === 'jpeg' ? 'jpg' : extension)
  const allowed = settings.general_allowed_file_types.split(',').map((type) => plain(type.trim().toLowerCase()))
  return allowed.includes(plain(extensionOf(filename)))
}

/** The cap of one file in bytes, by its kind; no fixed 100 MB: that one is of the multipart doors. */
export const maxBytesOf = (family: 'image' | 'video', settings: SettingValues): number =>
  (family === 'video' ? settings.general_max_video_size_mb : settings.general_max_file_size_mb) * 2 ** 20

/** What stands behind the last dot, in lower case; empty for a name without one, and for one that is nothing else. */
function extensionOf(filename: string): string {
  const name = filename.split(/[/\\]/).at(-1)?.trim() ?? ''
  return /^\.*[^.].*\.([^.]+)$/s.exec(name)?.[1]?.trim().toLowerCase() ?? ''
}

/** The cap of a multipart upload in bytes: the fixed 100 MB, narrowed by a lower setting. */
export const multipartFileBytes = (settings: SettingValues): number =>
  Math.min(multipartFileMegabytes, settings.general_max_file_size_mb) * 2 ** 20
