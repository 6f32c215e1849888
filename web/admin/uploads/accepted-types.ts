import { heicFileTypes, splitFileTypes } from '../../../contract/files/file-types.ts'
import {
  type ChosenFile,
  findFileGroup,
  getExtension,
  getUploadName,
  imageTypes,
  videoExtensions,
} from '../../shared/uploads/upload-file-rules.ts'

/**
 * Why a file is not uploaded. `heic`, `raw` and `video`: a supported type that the settings do not allow. `sidecar`: an XMP
 * sidecar that is not sent with a photo. `skipped`: the operator kept the photo of the same name. `undone`: the operator undid
 * the replacement.
 */
export type LeftOutReason = 'heic' | 'raw' | 'sidecar' | 'type' | 'video' | 'empty' | 'large' | 'skipped' | 'undone'

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
  const named = splitFileTypes(settings.general_allowed_file_types)
  // The service does not distinguish the extensions of a group.
  const groups = [
    ['jpg', 'jpeg'],
    ['tiff', 'tif'],
    [...heicFileTypes, 'hif'],
  ]
  const same = groups.filter((group) => group.some((ending) => named.includes(ending)))
  const endings = [...new Set([...named, ...same.flat()])]
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
  const group = findFileGroup({ name, type })
  if (group === null) return getExtension(name) === 'xmp' ? 'sidecar' : 'type'
  // `getUploadName` adds the extension of the type to a name without a known one.
  const ending = getExtension(getUploadName({ name, type }))
  if (acceptedTypes && !acceptedTypes.endings.includes(ending)) return group === 'plain' ? 'type' : group
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
