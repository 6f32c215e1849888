// File types by extension. `general_allowed_file_types` decides which of them are accepted.

export const imageFileTypes = ['jpg', 'jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const
/** Photos of phones. */
export const heicFileTypes = ['heic', 'heif'] as const
export const rawFileTypes = ['cr2', 'cr3', 'nef', 'arw', 'raf', 'orf', 'rw2', 'dng', 'pef'] as const
export const videoFileTypes = ['mp4', 'm4v', 'mov', 'webm', 'avi'] as const

/** Images that are shown by a JPEG, which is made of them once. */
export const convertedFileTypes = [...heicFileTypes, ...rawFileTypes] as const

/** Returns the extensions of a comma-separated list in lower case. */
export const splitFileTypes = (list: string): string[] => list.split(',').map((type) => type.trim().toLowerCase())
