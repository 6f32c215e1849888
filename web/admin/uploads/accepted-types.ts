import { type ChosenFile, getExtension, imageTypes, videoExtensions } from '../../shared/uploads/upload-file-rules.ts'

/**
 * Why a file is not uploaded. `video`: a supported video type that the settings do not allow. `skipped`: the operator kept
 * the photo of the same name. `undone`: the operator undid the replacement.
 */
export type LeftOutReason = 'heic' | 'type' | 'video' | 'empty' | 'large' | 'skipped' | 'undone'

/** The file types and sizes that the settings allow. `endings` are extensions without a dot. */
export type AcceptedTypes = {
  endings: readonly string[]
  imageBytes: number
  videoBytes: number
  /** Whether XMP sidecars are accepted together with their photos. */
  readsSidecars: boolean
}

type Settings = {
  general_allowed_file_types: string
  general_max_file_size_mb: number
  general_max_video_size_mb: number
  general_read_culling_marks: boolean
}

export function parseAcceptedTypes(settings: Settings): AcceptedTypes {
  const named = settings.general_allowed_file_types.split(',').map((ending) => ending.trim().toLowerCase())
  const isJpegAccepted = named.includes('jpg') || named.includes('jpeg')
  const endings = [...new Set([...named, ...(isJpegAccepted ? ['jpg', 'jpeg'] : [])])]
  const bytes = (megabytes: number) => megabytes * 2 ** 20
  return {
    endings,
    imageBytes: bytes(settings.general_max_file_size_mb),
    videoBytes: bytes(settings.general_max_video_size_mb),
    readsSidecars: settings.general_read_culling_marks,
  }
}

/** Returns the reason to skip a file; null if it can be sent. `acceptedTypes` is null if the settings are unknown. */
export function findLeftOutReason(
  { name, size, type }: ChosenFile,
  acceptedTypes: AcceptedTypes | null,
): LeftOutReason | null {
  const ending = getExtension(name)
  const known = ending in imageTypes || videoExtensions.includes(ending)
  const endings = acceptedTypes?.endings ?? [...Object.keys(imageTypes), ...videoExtensions]
  // An image without a known extension is accepted, because `getUploadName` adds the extension for the upload.
  const isNamelessImage = !known && Object.values(imageTypes).includes(type)
  if (!endings.includes(ending) && !isNamelessImage) {
    if (videoExtensions.includes(ending)) return 'video'
    return ['heic', 'heif', 'hif'].includes(ending) || /^image\/hei[cf]/.test(type) ? 'heic' : 'type'
  }
  if (size === 0) return 'empty'
  return acceptedTypes && size > getMaxBytes(name, acceptedTypes) ? 'large' : null
}

/** Returns the size in bytes that the settings allow for a file of this name. */
export const getMaxBytes = (name: string, { imageBytes, videoBytes }: AcceptedTypes): number =>
  videoExtensions.includes(getExtension(name)) ? videoBytes : imageBytes

export const getAcceptAttribute = (acceptedTypes: AcceptedTypes | null): string =>
  [
    ...(acceptedTypes?.endings ?? [...Object.keys(imageTypes), ...videoExtensions]),
    ...(acceptedTypes?.readsSidecars ? ['xmp'] : []),
  ]
    .map((ending) => `.${ending}`)
    .join(',')

export const acceptsVideos = (acceptedTypes: AcceptedTypes | null): boolean =>
  acceptedTypes?.endings.some((ending) => videoExtensions.includes(ending)) ?? false
