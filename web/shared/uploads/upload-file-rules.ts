/** What is known of a file before it is read. */
export type ChosenFile = { name: string; size: number; type: string; lastModified: number }

/** Why a file did not become a photo. The first four the page finds out by itself. */
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

/** Files that the service can take, by what stands behind the last dot; which of them it takes here it says itself. */
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

/** For the dialog that chooses files. HEIC is not among them: a phone that keeps photos so then hands out JPEG. */
export const acceptedTypes = (takesVideos: boolean): string =>
  [...new Set([...Object.values(imageTypes), ...(takesVideos ? ['video/*'] : [])])].join(',')

/** In lower case; empty where there is none. */
export const endingOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

/** What systems put into every folder is nobody's photo. `path`: with the folders it lies in. */
export function isSystemFile(path: string): boolean {
  const name = path.split('/').at(-1) ?? ''
  return (
    name.startsWith('.') || /^(thumbs\.db|ehthumbs\.db|desktop\.ini|icon\r)$/i.test(name) || /^__MACOSX\//.test(path)
  )
}

/** A file chosen twice: nobody keeps two of one name, size and time. */
export const keyOf = ({ name, size, lastModified }: ChosenFile): string => `${name}|${size}|${lastModified}`

/** What need not be sent to be refused; null for what the service is to check. */
export function refusedBefore({ name, size, type }: ChosenFile): UploadReason | null {
  const ending = endingOf(name)
  if (['heic', 'heif', 'hif'].includes(ending) || /^image\/hei[cf]/.test(type)) return 'heic'
  if (size === 0) return 'empty'
  const isKnown = ending in imageTypes || videoEndings.includes(ending) || /^(image|video)\//.test(type)
  return isKnown ? null : 'type'
}

const endingsByType = new Map(Object.entries(imageTypes).map(([ending, type]) => [type, ending]))

/**
 * The service goes by the ending at first; what has none, or one that says less than the type that the system knows,
 * gets one. It looks into the file itself before it takes it.
 */
export function sentName({ name, type }: ChosenFile): string {
  const ending = endingOf(name)
  if (ending in imageTypes || videoEndings.includes(ending)) return name
  const known = endingsByType.get(type)
  return known ? `${name}.${known}` : name
}
