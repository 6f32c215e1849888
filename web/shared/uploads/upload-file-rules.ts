import { rawFileTypes, videoFileTypes } from '../../../contract/files/file-types.ts'

export type ChosenFile = { name: string; size: number; type: string; lastModified: number }

/**
 * Why a file was not added. Pages detect the first four before sending, and the admin app also `large`. The service can
 * report `type`, `large` and the reasons after it.
 */
export type UploadReason =
  | 'heic'
  | 'type'
  | 'empty'
  | 'unreadable'
  | 'large'
  | 'damaged'
  | 'pixels'
  | 'full'
  | 'storage'
  | 'off'
  | 'closed'
  | 'other'

/** Media types by file extension. The settings of the service decide which of these types it accepts. */
export const imageTypes: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  tiff: 'image/tiff',
  tif: 'image/tiff',
  avif: 'image/avif',
}
const heicTypes: Record<string, string> = { hif: 'image/heif', heif: 'image/heif', heic: 'image/heic' }
const rawExtensions: readonly string[] = rawFileTypes
export const videoExtensions: readonly string[] = videoFileTypes

/** Types that the settings may allow beside plain images. */
export type TakenTypes = { takes_videos: boolean; takes_heic: boolean; takes_raw: boolean }

/** Returns the `accept` value of a file input. Where it excludes HEIC, phones convert such photos to JPEG. */
export function formatAcceptAttribute({ takes_videos, takes_heic, takes_raw }: TakenTypes): string {
  const heic = Object.entries(heicTypes).flatMap(([extension, type]) => [type, `.${extension}`])
  const raw = rawFileTypes.map((extension) => `.${extension}`)
  return [
    ...new Set([
      ...Object.values(imageTypes),
      ...(takes_heic ? heic : []),
      ...(takes_raw ? raw : []),
      ...(takes_videos ? ['video/*'] : []),
    ]),
  ].join(',')
}

/** Returns the extension in lower case without the dot, or an empty string. */
export const getExtension = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

/** Returns whether the file is hidden or made by an operating system (`.DS_Store`). `path` includes the folders. */
export function isSystemFile(path: string): boolean {
  const name = path.split('/').at(-1) ?? ''
  return (
    name.startsWith('.') || /^(thumbs\.db|ehthumbs\.db|desktop\.ini|icon\r)$/i.test(name) || /^__MACOSX\//.test(path)
  )
}

/** Identifies a file that is chosen again. */
export const getFileKey = ({ name, size, lastModified }: ChosenFile): string => `${name}|${size}|${lastModified}`

export type FileGroup = 'plain' | 'heic' | 'raw' | 'video'

/** Returns the group by the extension or, without a known one, by the media type; null for other files. */
export function findFileGroup({ name, type }: Pick<ChosenFile, 'name' | 'type'>): FileGroup | null {
  const extension = getExtension(name)
  if (extension in imageTypes) return 'plain'
  if (extension in heicTypes) return 'heic'
  if (rawExtensions.includes(extension)) return 'raw'
  if (videoExtensions.includes(extension)) return 'video'
  const known = extensionsByType.get(type)
  if (known) return known in heicTypes ? 'heic' : 'plain'
  return null
}

/** Returns why the file is rejected before sending; null when the service decides. */
export function rejectedBeforeUpload(file: ChosenFile, { takes_heic, takes_raw }: TakenTypes): UploadReason | null {
  const group = findFileGroup(file)
  if (group === 'heic' && !takes_heic) return 'heic'
  if (group === 'raw' && !takes_raw) return 'type'
  if (file.size === 0) return 'empty'
  return group || /^(image|video)\//.test(file.type) ? null : 'type'
}

const extensionsByType = new Map(
  Object.entries({ ...imageTypes, ...heicTypes }).map(([extension, type]) => [type, extension]),
)

/** Adds the extension of the type if the name has no known one, because the service checks the extension first. */
export function getUploadName({ name, type }: Pick<ChosenFile, 'name' | 'type'>): string {
  if (findFileGroup({ name, type: '' })) return name
  const known = extensionsByType.get(type)
  return known ? `${name}.${known}` : name
}
