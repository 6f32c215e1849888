import { extname } from 'node:path/posix'
import { cutName } from './photo-files.ts'
import type { PhotoRow } from './photo-rows.ts'

/** What programs go by when they open a file: a short word behind the last dot. A number is none: `Screen at 10.15.30`. */
const ending = /(?<=[^.\s].*)\.(?=[^.]*\p{L})[^.\s]{1,10}$/u

/** Of one kind, under several names. */
const alike = [
  ['.jpg', '.jpeg', '.jpe', '.jfif'],
  ['.tiff', '.tif'],
  ['.heic', '.heif', '.hif'],
  ['.mp4', '.m4v'],
]

/**
 * What the stored file of a photo is called on its way out: as the client calls it, to the letter, where that says what
 * it is. A picture named `invoice.html` would be opened as a page, and whatever stands in it run.
 */
export function nameOfOriginal({
  filename,
  original_filename: name,
}: Pick<PhotoRow, 'filename' | 'original_filename'>): string {
  const kind = extname(filename).toLowerCase()
  const [said = ''] = ending.exec(name.toLowerCase()) ?? []
  const fits = said === kind || alike.some((names) => names.includes(said) && names.includes(kind))
  return fits ? name : renamed(name, kind)
}

/** The client's name for a file of another kind. */
export function renamed(originalName: string, extension: string): string {
  // With its dots in front it would be hidden, or all extension.
  const stem = originalName.replace(ending, '').replace(/^[.\s]+/, '')
  return cutName(stem || 'photo', extension)
}
