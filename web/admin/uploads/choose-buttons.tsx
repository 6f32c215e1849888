import { useRef } from 'react'
import { translator } from '../app/language.ts'
import { Button } from '../components/button.tsx'
import { type AcceptedTypes, getAcceptAttribute } from './accepted-types.ts'
import { type ChosenFiles, readSelected } from './chosen-files.ts'
import { canPickFolders, pickFolder, readHandleFiles } from './folder-handles.ts'

declare module 'react' {
  interface InputHTMLAttributes<T> {
    webkitdirectory?: string
  }
}

const t = translator('uploads')

type Props = { acceptedTypes: AcceptedTypes | null; isPrimary?: boolean; onChosen: (chosen: ChosenFiles) => void }

/** Prefers a folder handle over a plain file list, because a handle can be opened again after a reload. */
export function ChooseButtons({ acceptedTypes, isPrimary = false, onChosen }: Props) {
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const chooseFolder = async () => {
    if (!canPickFolders()) return folder.current?.click()
    const handle = await pickFolder()
    if (handle) onChosen({ files: await readHandleFiles(handle), handles: [handle] })
  }
  return (
    <div className="buttons">
      <input
        ref={files}
        type="file"
        name="files"
        hidden
        multiple
        accept={getAcceptAttribute(acceptedTypes)}
        onChange={({ currentTarget }) => onChosen(readSelected(currentTarget))}
      />
      <input
        ref={folder}
        type="file"
        name="folder"
        hidden
        webkitdirectory=""
        onChange={({ currentTarget }) => onChosen(readSelected(currentTarget))}
      />
      <Button kind={isPrimary ? 'primary' : 'plain'} icon="upload" onClick={() => files.current?.click()}>
        {t('chooseFiles')}
      </Button>
      {(canPickFolders() || 'webkitdirectory' in HTMLInputElement.prototype) && (
        <Button icon="folder" onClick={chooseFolder}>
          {t('chooseFolder')}
        </Button>
      )}
    </div>
  )
}
