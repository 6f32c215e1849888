import { useState } from 'preact/hooks'
import type { GalleryPhoto } from '../../../contract/gallery/gallery.ts'
import { Icon } from '../parts/icon.tsx'
import { t } from '../state/page.ts'
import { getDownloadUrl, hasShareSheet, shareFile } from './save-photo.ts'

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
