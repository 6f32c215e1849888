export type ChosenFile = { name: string; size: number; type: string; lastModified: number }

/** Why a file was not added. The page itself detects the first four. */
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

/** Types by extension that the service can accept. Its settings decide which ones it accepts. */
export const imageTypes: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  tiff: 'image/tiff',
  avif: 'image/avif',
}
export const videoEndings: readonly string[] = ['mp4', 'm4v', 'mov', 'webm', 'avi']

/** Returns the `accept` value of a file input. It excludes HEIC, so that phones convert such photos to JPEG. */
export const acceptedTypes = (takesVideos: boolean): string =>
  [...new Set([...Object.values(imageTypes), ...(takesVideos ? ['video/*'] : [])])].join(',')

/** In lower case; empty if there is none. */
export const endingOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

/** `path` includes the folders. */
export function isSystemFile(path: string): boolean {
  const name = path.split('/').at(-1) ?? ''
  return (
    name.startsWith('.') || /^(thumbs\.db|ehthumbs\.db|desktop\.ini|icon\r)$/i.test(name) || /^__MACOSX\//.test(path)
  )
}

/** Identifies a file that is chosen again. */
export const keyOf = ({ name, size, lastModified }: ChosenFile): string => `${name}|${size}|${lastModified}`

/** Returns why the file is rejected before sending; null when the service decides. */
export function rejectedBeforeUpload({ name, size, type }: ChosenFile): UploadReason | null {
  const ending = endingOf(name)
  if (['heic', 'heif', 'hif'].includes(ending) || /^image\/hei[cf]/.test(type)) return 'heic'
  if (size === 0) return 'empty'
  const isKnown = ending in imageTypes || videoEndings.includes(ending) || /^(image|video)\//.test(type)
  return isKnown ? null : 'type'
}

const endingsByType = new Map(Object.entries(imageTypes).map(([ending, type]) => [type, ending]))

/** Adds the extension of the type if the name has no known one, because the service checks the extension first. */
export function sentName({ name, type }: ChosenFile): string {
  const ending = endingOf(name)
  if (ending in imageTypes || videoEndings.includes(ending)) return name
  const known = endingsByType.get(type)
  return known ? `${name}.${known}` : name
}
