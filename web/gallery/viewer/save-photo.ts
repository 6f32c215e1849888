import type { GalleryPhoto } from '../../../contract/gallery.ts'
import { tell } from '../parts/notices.tsx'
import { addressOf } from '../state/api.ts'
import { say } from '../state/page.ts'
import { saidName } from './said-name.ts'

/** Larger ones go the browser's own way: a sheet wants the whole file in memory. */
const largestShared = 64 * 2 ** 20

export const downloadAddress = ({ id }: GalleryPhoto): string => addressOf(`/download/${id}`)

/** Whether this phone has a sheet that takes such a file, to save it among its photos or to send it. */
export function hasShareSheet({ size_bytes, mime_type }: GalleryPhoto): boolean {
  if (size_bytes > largestShared || !matchMedia('(pointer: coarse)').matches) return false
  const example = new File([''], 'photo.jpg', { type: mime_type })
  return typeof navigator.canShare === 'function' && navigator.canShare({ files: [example] })
}

/** Hands one photo to the sheet of the phone; where that does not open, it is downloaded. */
export async function shareFile(photo: GalleryPhoto): Promise<void> {
  const file = await fetchPhoto(photo)
  if (!file) return tell(say('failed'), { isAlarm: true })
  try {
    await navigator.share({ files: [file] })
  } catch (error) {
    // Closed without a choice: that is one.
    if (!(error instanceof DOMException && error.name === 'AbortError')) download(file)
  }
}

/** Of the kind and by the name that the service says: what stands for a photo may be another kind of file. */
async function fetchPhoto(photo: GalleryPhoto): Promise<File | null> {
  try {
    const response = await fetch(downloadAddress(photo))
    if (!response.ok) return null
    const blob = await response.blob()
    const name = saidName(response.headers.get('content-disposition')) ?? 'photo'
    return new File([blob], name, { type: blob.type })
  } catch {
    return null
  }
}

function download(file: File): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = file.name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
