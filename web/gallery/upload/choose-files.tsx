import { Icon } from '../parts/icon.tsx'
import { page, say } from '../state/page.ts'
import { acceptedTypes } from './upload-file-rules.ts'
import { addFiles } from './uploader.ts'

/** Large as long as there is nothing else to do. What is dropped is taken by the page as a whole. */
export function ChooseFiles({ isFirst }: { isFirst: boolean }) {
  return (
    <label class={`bring-choose${isFirst ? ' first' : ''}`}>
      <input
        type="file"
        multiple
        accept={acceptedTypes(page.takes_videos)}
        onChange={({ currentTarget }) => {
          addFiles([...(currentTarget.files ?? [])])
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
