import { decodableFileTypes, multipartFileMegabytes, type SettingValues } from '../../contract/settings.ts'
import { type ImageKind, imageKinds } from '../platform/media/image-header.ts'

/** HEIC is recognised, to be refused by its name, but not decoded. */
export const isDecodable = (kind: ImageKind): boolean =>
  (decodableFileTypes as readonly string[]).includes(imageKinds[kind].extension.slice(1))

/** Whether a kind of image may come in; jpg and jpeg mean each other. */
export function isKindAllowed(kind: ImageKind, settings: SettingValues): boolean {
  const allowed = settings.general_allowed_file_types.split(',').map((type) => type.trim().toLowerCase())
  const extension = imageKinds[kind].extension.slice(1)
  return allowed.includes(extension) || (kind === 'jpeg' && allowed.includes('jpeg'))
}

/** The cap of a multipart upload in bytes: the fixed 100 MB, narrowed by a lower setting (decisions §3). */
export const multipartFileBytes = (settings: SettingValues): number =>
  Math.min(multipartFileMegabytes, settings.general_max_file_size_mb) * 2 ** 20
