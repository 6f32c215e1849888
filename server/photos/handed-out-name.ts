import { extname } from 'node:path/posix'
import { cutName } from './photo-files.ts'
import type { PhotoRow } from './photo-rows.ts'

/** A file extension: a short word with a letter after the last dot. `Screen at 10.15.30` has none. */
const ending = /(?<=[^.\s].*)\.(?=[^.]*\p{L})[^.\s]{1,10}$/u

const alike = [
  ['.jpg', '.jpeg', '.jpe', '.jfif'],
  ['.tiff', '.tif'],
  ['.heic', '.heif', '.hif'],
  ['.mp4', '.m4v'],
]

/** Replaces an extension that does not match the content: a picture named `invoice.html` would open as a web page. */
export function nameOfOriginal({
  filename,
  original_filename: name,
}: Pick<PhotoRow, 'filename' | 'original_filename'>): string {
  const kind = extname(filename).toLowerCase()
  const [said = ''] = ending.exec(name.toLowerCase()) ?? []
  const fits = said === kind || alike.some((names) => names.includes(said) && names.includes(kind))
  return fits ? name : renamed(name, kind)
}

export function renamed(originalName: string, extension: string): string {
  // A leading dot would hide the file or make the whole name an extension.
  const stem = originalName.replace(ending, '').replace(/^[.\s]+/, '')
  return cutName(stem || 'photo', extension)
}
