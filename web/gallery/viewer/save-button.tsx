import { useState } from 'preact/hooks'
import type { GalleryPhoto } from '../../../contract/gallery/gallery.ts'
import { saveBlob } from '../../shared/save-blob.ts'
import { canShareFiles, fetchPhoto, getDownloadUrl, isClosedByGuest, maxSharedBytes } from '../download/share-files.ts'
import { Icon } from '../parts/icon.tsx'
import { showNotice } from '../parts/notices.tsx'
import { t } from '../state/page.ts'

export function SaveButton({ photo }: { photo: GalleryPhoto }) {
  const [isBusy, setBusy] = useState(false)
  const name = t(isBusy ? 'savingPhoto' : 'savePhoto')
  return (
    <a
      class={`round viewer-button${isBusy ? ' busy' : ''}`}
      href={getDownloadUrl(photo.id)}
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

const hasShareSheet = ({ size_bytes, mime_type }: GalleryPhoto): boolean =>
  size_bytes <= maxSharedBytes && canShareFiles(mime_type)

/** Downloads the photo if sharing fails, unless the guest closed the share sheet. */
async function shareFile({ id }: GalleryPhoto): Promise<void> {
  const file = await fetchPhoto(id)
  if (!file) return showNotice(t('failed'), { isError: true })
  try {
    await navigator.share({ files: [file] })
  } catch (error) {
    if (!isClosedByGuest(error)) saveBlob(file, file.name)
  }
}
