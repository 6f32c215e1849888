import { useRef } from 'react'
import { sayIn } from '../desk/language.ts'
import { Button } from '../parts/button.tsx'
import { canPickFolders, filesInHandle, pickFolder } from './folder-handles.ts'
import { type Chosen, takeChosen } from './take-dropped.ts'
import { acceptedEndings, type TakenKinds } from './taken-kinds.ts'

declare module 'react' {
  interface InputHTMLAttributes<T> {
    /** Chooses a folder with all that is in it; not of React's types. */
    webkitdirectory?: string
  }
}

const say = sayIn('uploads')

type Props = { taken: TakenKinds | null; isPrimary?: boolean; onChosen: (chosen: Chosen) => void }

/** For whoever does not drag: the dialogs of the system. A folder comes as a handle where the browser has such. */
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
        {say('chooseFiles')}
      </Button>
      {(canPickFolders() || 'webkitdirectory' in HTMLInputElement.prototype) && (
        <Button icon="folder" onClick={chooseFolder}>
          {say('chooseFolder')}
        </Button>
      )}
    </div>
  )
}
