import { useState } from 'preact/hooks'
import type { GalleryPhoto } from '../../../contract/gallery/gallery.ts'
import { Icon } from '../parts/icon.tsx'
import { showNotice } from '../parts/notices.tsx'
import { getRouteUrl } from '../state/api.ts'
import { t } from '../state/page.ts'
import { parseFilename } from './parse-filename.ts'

export function SaveButton({ photo }: { photo: GalleryPhoto }) {
  const [isBusy, setBusy] = useState(false)
  const name = t(isBusy ? 'savingPhoto' : 'savePhoto')
  return (
    <a
      class={`round viewer-button${isBusy ? ' busy' : ''}`}
      href={getDownloadUrl(photo)}
      download
      aria-label={name}
      title={name}
      aria-busy={isBusy}
      onClick={(event) => {
        if (!hasShareSheet(photo)) return
        event.preventDefault()
        if (isBusy) return
        setBusy(true)
        void shareFile(photo).finally(() => setBusy(false))
      }}
    >
      <Icon name="download" />
    </a>
  )
}

/** Larger files are downloaded, because a share sheet needs the whole file in memory. */
const maxSharedBytes = 64 * 2 ** 20

const getDownloadUrl = ({ id }: GalleryPhoto): string => getRouteUrl(`/download/${id}`)

function hasShareSheet({ size_bytes, mime_type }: GalleryPhoto): boolean {
  if (size_bytes > maxSharedBytes || !matchMedia('(pointer: coarse)').matches) return false
  const example = new File([''], 'photo.jpg', { type: mime_type })
  return typeof navigator.canShare === 'function' && navigator.canShare({ files: [example] })
}

/** Downloads the photo if sharing fails, unless the guest closed the share sheet. */
async function shareFile(photo: GalleryPhoto): Promise<void> {
  const file = await fetchPhoto(photo)
  if (!file) return showNotice(t('failed'), { isError: true })
  try {
    await navigator.share({ files: [file] })
  } catch (error) {
    // AbortError means that the guest closed the share sheet.
    if (!(error instanceof DOMException && error.name === 'AbortError')) download(file)
  }
}

/** Uses the type and name of the response, because the service may send a rendition instead of the original. */
async function fetchPhoto(photo: GalleryPhoto): Promise<File | null> {
  try {
    const response = await fetch(getDownloadUrl(photo))
    if (!response.ok) return null
    const blob = await response.blob()
    const name = parseFilename(response.headers.get('content-disposition')) ?? 'photo'
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
