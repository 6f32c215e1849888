import { useEffect, useEffectEvent, useState } from 'react'
import { translator } from '../app/language.ts'
import { Icon } from '../components/icon.tsx'
import { showNotice } from '../components/notices.tsx'
import { type ChosenFiles, readDropped } from './chosen-files.ts'

const t = translator('uploads')

/** `place`: the name of the place that the files are added to. */
export function DropZone({ place, onDropped }: { place: string; onDropped: (chosen: ChosenFiles) => void }) {
  const [isOver, setOver] = useState(false)
  const drop = useEffectEvent(({ dataTransfer }: DragEvent) => {
    setOver(false)
    if (!dataTransfer) return
    readDropped(dataTransfer).then(onDropped, () => showNotice(t('notRead'), { isAlarm: true }))
  })
  useEffect(() => {
    const listening = new AbortController()
    const on = (type: 'dragenter' | 'dragover' | 'dragleave' | 'drop', action: (event: DragEvent) => void) =>
      addEventListener(
        type,
        (event) => {
          if (!event.dataTransfer?.types.includes('Files')) return
          event.preventDefault()
          action(event)
        },
        listening,
      )
    on('dragenter', () => setOver(true))
    on('dragover', ({ dataTransfer }) => {
      if (dataTransfer) dataTransfer.dropEffect = 'copy'
    })
    on('dragleave', ({ relatedTarget }) => relatedTarget === null && setOver(false))
    on('drop', (event) => drop(event))
    return () => listening.abort()
  }, [])
  if (!isOver) return null
  return (
    <div className="upload-drop">
      <p>
        <Icon name="upload" />
        <span dir="auto">{t('dropHere', { event: place })}</span>
      </p>
    </div>
  )
}
