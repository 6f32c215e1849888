import { extname } from 'node:path/posix'
import { truncateName } from '../photos/photo-files.ts'
import type { PhotoRow } from '../photos/photo-rows.ts'
import { imageKinds } from '../platform/media/image-kinds.ts'

/** A file extension: after the last dot 1 to 10 characters without spaces, at least one of them a letter. */
const extensionPattern = /(?<=[^.\s].*)\.(?=[^.]*\p{L})[^.\s]{1,10}$/u

const equivalentExtensions = [
  ['.jpg', '.jpeg', '.jpe', '.jfif'],
  ['.tiff', '.tif'],
  ['.heic', '.heif', '.hif'],
  ['.mp4', '.m4v'],
]

/** Replaces an extension that does not match the content: a picture named `invoice.html` would open as a web page. */
export function getDownloadName(photo: Pick<PhotoRow, 'filename' | 'original_filename'>): string {
  const name = photo.original_filename
  const contentExtension = extname(photo.filename).toLowerCase()
  const [nameExtension = ''] = extensionPattern.exec(name.toLowerCase()) ?? []
  const isEquivalent =
    nameExtension === contentExtension ||
    equivalentExtensions.some((names) => names.includes(nameExtension) && names.includes(contentExtension))
  return isEquivalent ? name : replaceExtension(name, contentExtension)
}

export const getJpegName = ({ original_filename }: Pick<PhotoRow, 'original_filename'>): string =>
  replaceExtension(original_filename, imageKinds.jpeg.extension)

export function replaceExtension(originalName: string, extension: string): string {
  // A leading dot would hide the file or make the whole name an extension.
  const stem = originalName.replace(extensionPattern, '').replace(/^[.\s]+/, '')
  return truncateName(stem || 'photo', extension)
}
