import './upload-button.css'
import { Icon } from '../parts/icon.tsx'
import { t } from '../state/page.ts'
import { canUpload, openUpload } from './open-upload.ts'

export function UploadButton() {
  if (!canUpload) return null
  return (
    <button type="button" class="bring-open" onClick={() => openUpload()}>
      <Icon name="upload" />
      <span>{t('uploadTitle')}</span>
    </button>
  )
}
