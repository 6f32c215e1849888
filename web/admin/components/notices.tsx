import './notices.css'
import { useSyncExternalStore } from 'react'
import { translator } from '../app/language.ts'
import { IconButton } from './button.tsx'

const t = translator('parts')

type Notice = { id: number; text: string; isAlarm: boolean; undo?: () => void }

let notices: Notice[] = []
let lastId = 0
const listeners = new Set<() => void>()

function setNotices(next: Notice[]): void {
  notices = next
  for (const listener of listeners) listener()
}

const displayMs = 6000

/** Shows a notice for 6 seconds, or for 12 with `undo`. Alarms stay until the user closes them. */
export function showNotice(
  text: string,
  { isAlarm = false, undo }: { isAlarm?: boolean; undo?: () => void } = {},
): void {
  const notice: Notice = { id: ++lastId, text, isAlarm, ...(undo && { undo }) }
  setNotices([...notices.filter((one) => one.text !== text), notice].slice(-3))
  if (!isAlarm) setTimeout(() => closeNotice(notice.id), undo ? displayMs * 2 : displayMs)
}

const closeNotice = (id: number): void => setNotices(notices.filter((one) => one.id !== id))

/** Renders the notices. Mounted once. */
export function Notices() {
  const current = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => notices,
  )
  return (
    <div className="notices" role="status">
      {current.map(({ id, text, isAlarm, undo }) => (
        <div key={id} className={`notice${isAlarm ? ' alarm' : ''}`}>
          <span dir="auto">{text}</span>
          {undo && (
            <button
              type="button"
              className="notice-undo"
              onClick={() => {
                closeNotice(id)
                undo()
              }}
            >
              {t('undo')}
            </button>
          )}
          <IconButton icon="close" label={t('close')} onClick={() => closeNotice(id)} />
        </div>
      ))}
    </div>
  )
}
