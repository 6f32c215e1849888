import { useRef } from 'react'
import { translator } from '../desk/language.ts'
import { Button } from '../parts/button.tsx'
import { canPickFolders, filesInHandle, pickFolder } from './folder-handles.ts'
import { type Chosen, takeChosen } from './take-dropped.ts'
import { acceptedEndings, type TakenKinds } from './taken-kinds.ts'

declare module 'react' {
  interface InputHTMLAttributes<T> {
    webkitdirectory?: string
  }
}

const t = translator('uploads')

type Props = { taken: TakenKinds | null; isPrimary?: boolean; onChosen: (chosen: Chosen) => void }

/** Prefers a folder handle over a plain file list, because a handle can be opened again after a reload. */
export function ChooseButtons({ taken, isPrimary = false, onChosen }: Props) {
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const chooseFolder = async () => {
    if (!canPickFolders()) return folder.current?.click()
    const handle = await pickFolder()
    if (handle) onChosen({ files: await filesInHandle(handle), handles: [handle] })
  }
  return (
    <div className="buttons">
      <input
        ref={files}
        type="file"
        name="files"
        hidden
        multiple
        accept={acceptedEndings(taken)}
        onChange={({ currentTarget }) => onChosen(takeChosen(currentTarget))}
      />
      <input
        ref={folder}
        type="file"
        name="folder"
        hidden
        webkitdirectory=""
        onChange={({ currentTarget }) => onChosen(takeChosen(currentTarget))}
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
