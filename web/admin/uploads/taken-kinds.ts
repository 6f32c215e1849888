import { type ChosenFile, endingOf, imageTypes, videoEndings } from '../../shared/uploads/upload-file-rules.ts'

/** Why a file is not uploaded. `video`: a supported video type that the settings do not allow. */
export type LeftOutReason = 'heic' | 'type' | 'video' | 'empty' | 'large'

/** The file types and sizes that the settings allow; null without the permission to read the settings. */
export type TakenKinds = { endings: readonly string[]; imageBytes: number; videoBytes: number }

type Settings = {
  general_allowed_file_types: string
  general_max_file_size_mb: number
  general_max_video_size_mb: number
}

export function takenKinds(settings: Settings): TakenKinds {
  const named = settings.general_allowed_file_types.split(',').map((ending) => ending.trim().toLowerCase())
  const isJpegTaken = named.includes('jpg') || named.includes('jpeg')
  const endings = [...new Set([...named, ...(isJpegTaken ? ['jpg', 'jpeg'] : [])])]
  const bytes = (megabytes: number) => megabytes * 2 ** 20
  return {
    endings,
    imageBytes: bytes(settings.general_max_file_size_mb),
    videoBytes: bytes(settings.general_max_video_size_mb),
  }
}

/** Returns the reason to skip a file; null if the server has to check it. */
export function leaveOut({ name, size, type }: ChosenFile, taken: TakenKinds | null): LeftOutReason | null {
  const ending = endingOf(name)
  const known = ending in imageTypes || videoEndings.includes(ending)
  const endings = taken?.endings ?? [...Object.keys(imageTypes), ...videoEndings]
  // An image without an extension gets the one of its type when it is sent.
  const isNamelessImage = !known && Object.values(imageTypes).includes(type)
  if (!endings.includes(ending) && !isNamelessImage) {
    if (videoEndings.includes(ending)) return 'video'
    return ['heic', 'heif', 'hif'].includes(ending) || /^image\/hei[cf]/.test(type) ? 'heic' : 'type'
  }
  if (size === 0) return 'empty'
  const maxBytes = videoEndings.includes(ending) ? taken?.videoBytes : taken?.imageBytes
  return maxBytes !== undefined && size > maxBytes ? 'large' : null
}

export const acceptedEndings = (taken: TakenKinds | null): string =>
  (taken?.endings ?? [...Object.keys(imageTypes), ...videoEndings]).map((ending) => `.${ending}`).join(',')

export const takesVideos = (taken: TakenKinds | null): boolean =>
  taken?.endings.some((ending) => videoEndings.includes(ending)) ?? false
