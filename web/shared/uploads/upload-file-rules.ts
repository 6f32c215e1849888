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
  avif: 'image/avif',
}
export const videoExtensions: readonly string[] = ['mp4', 'm4v', 'mov', 'webm', 'avi']

/** Returns the `accept` value of a file input. It excludes HEIC, so that phones convert such photos to JPEG. */
export const formatAcceptAttribute = (takesVideos: boolean): string =>
  [...new Set([...Object.values(imageTypes), ...(takesVideos ? ['video/*'] : [])])].join(',')

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

/** Returns why the file is rejected before sending; null when the service decides. */
export function rejectedBeforeUpload({ name, size, type }: ChosenFile): UploadReason | null {
  const extension = getExtension(name)
  if (['heic', 'heif', 'hif'].includes(extension) || /^image\/hei[cf]/.test(type)) return 'heic'
  if (size === 0) return 'empty'
  const isKnown = extension in imageTypes || videoExtensions.includes(extension) || /^(image|video)\//.test(type)
  return isKnown ? null : 'type'
}

const extensionsByType = new Map(Object.entries(imageTypes).map(([extension, type]) => [type, extension]))

/** Adds the extension of the type if the name has no known one, because the service checks the extension first. */
export function getUploadName({ name, type }: ChosenFile): string {
  const extension = getExtension(name)
  if (extension in imageTypes || videoExtensions.includes(extension)) return name
  const known = extensionsByType.get(type)
  return known ? `${name}.${known}` : name
}
