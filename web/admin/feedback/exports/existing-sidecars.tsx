import { type DragEvent, useId, useRef, useState } from 'react'
import { isSidecar } from '../../../../contract/files/pair-sidecars.ts'
import { listFiles } from '../../../shared/uploads/dropped-files.ts'
import { translator } from '../../app/language.ts'
import { Button, Buttons } from '../../components/button.tsx'
import { showNotice } from '../../components/notices.tsx'

const t = translator('feedback')

/** The limits of the service, see `server/exports/merge-sidecars-api.ts`. */
const maxSidecars = 500
const maxBytes = 63 * 2 ** 20

export const areTooMany = (sidecars: readonly File[]): boolean =>
  sidecars.length > maxSidecars || sidecars.reduce((total, { size }) => total + size, 0) > maxBytes

type Props = { sidecars: readonly File[]; onSidecars: (sidecars: File[]) => void }

/** Takes the sidecars of the photographer, so that they are merged instead of replaced. */
export function ExistingSidecars({ sidecars, onSidecars }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const add = (files: readonly File[]) => {
    const found = files.filter(({ name }) => isSidecar({ path: name }))
    if (found.length === 0) showNotice(t('noSidecars'), { isAlarm: true })
    else onSidecars([...sidecars, ...found])
  }
  // The page below would take the files for photos to upload.
  const hold = (event: DragEvent) => {
    event.preventDefault()
    event.stopPropagation()
  }
  const drop = (event: DragEvent) => {
    hold(event)
    setOver(false)
    readFiles(event.dataTransfer).then(add, () => showNotice(t('noSidecars'), { isAlarm: true }))
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has another style.
    <div
      role="group"
      aria-labelledby={id}
      className={`field sidecar-drop${isOver ? ' over' : ''}`}
      onDragEnter={(event) => {
        hold(event)
        setOver(true)
      }}
      onDragOver={hold}
      onDragLeave={({ currentTarget, relatedTarget }) =>
        currentTarget.contains(relatedTarget as Node | null) || setOver(false)
      }
      onDrop={drop}
    >
      <input
        ref={input}
        type="file"
        name="sidecars"
        hidden
        multiple
        accept=".xmp"
        onChange={({ currentTarget }) => {
          add([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
      <span id={id}>{t('existing')}</span>
      <Buttons>
        <Button icon="folder" aria-describedby={`${id}-help`} onClick={() => input.current?.click()}>
          {sidecars.length === 0 ? t('chooseSidecars') : t('sidecarsChosen', { count: sidecars.length })}
        </Button>
        {sidecars.length > 0 && <Button onClick={() => onSidecars([])}>{t('removeSidecars')}</Button>}
      </Buttons>
      {areTooMany(sidecars) && (
        <p className="wrong" role="alert">
          {t('tooManySidecars')}
        </p>
      )}
      <p className="help" id={`${id}-help`}>
        {t('existingHelp')}
      </p>
    </div>
  )
}

/** Reads items and files before it returns, because they are valid only during the drop event. */
async function readFiles({ items, files }: DataTransfer): Promise<File[]> {
  const plain = [...files]
  const entries = [...items].flatMap((item) => (item.kind === 'file' ? (item.webkitGetAsEntry?.() ?? []) : []))
  if (entries.length === 0) return plain
  return (await Promise.all(entries.map(listFiles))).flat().map(({ file }) => file)
}
