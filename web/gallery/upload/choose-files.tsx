import { acceptedTypes } from '../../shared/uploads/upload-file-rules.ts'
import { Icon } from '../parts/icon.tsx'
import { page, say } from '../state/page.ts'

/** Large as long as there is nothing else to do. What is dropped is taken by the page as a whole. */
export function ChooseFiles({ isFirst, onChosen }: { isFirst: boolean; onChosen: (files: File[]) => void }) {
  return (
    <label class={`bring-choose${isFirst ? ' first' : ''}`}>
      <input
        type="file"
        multiple
        accept={acceptedTypes(page.takes_videos)}
        onChange={({ currentTarget }) => {
          onChosen([...(currentTarget.files ?? [])])
          // Else the same file chosen once more would be no change.
          currentTarget.value = ''
        }}
      />
      <Icon name="upload" />
      <span>{say(isFirst ? (page.takes_videos ? 'uploadChoose' : 'uploadChoosePhotos') : 'uploadChooseMore')}</span>
      {isFirst && <small>{say('uploadDrop')}</small>}
    </label>
  )
}
