import { formatAcceptAttribute } from '../../shared/uploads/upload-file-rules.ts'
import { Icon } from '../parts/icon.tsx'
import { page, t } from '../state/page.ts'
import { sortByName } from './files-in-folders.ts'

/** The area is large if `isFirst`. The whole page accepts dropped files (see open-upload.ts). */
export function ChooseFiles({ isFirst, onChosen }: { isFirst: boolean; onChosen: (files: File[]) => void }) {
  return (
    <label class={`bring-choose${isFirst ? ' first' : ''}`}>
      <input
        type="file"
        multiple
        accept={formatAcceptAttribute(page)}
        onChange={({ currentTarget }) => {
          onChosen(sortByName([...(currentTarget.files ?? [])]))
          // Without this, choosing the same file again would fire no `change` event.
          currentTarget.value = ''
        }}
      />
      <Icon name="upload" />
      <span>{t(isFirst ? (page.takes_videos ? 'uploadChoose' : 'uploadChoosePhotos') : 'uploadChooseMore')}</span>
      {isFirst && <small>{t('uploadDrop')}</small>}
    </label>
  )
}
