import './notices.css'
import { useSyncExternalStore } from 'react'
import { sayIn } from '../desk/language.ts'
import { IconButton } from './button.tsx'

const say = sayIn('parts')

type Notice = { id: number; text: string; isAlarm: boolean; undo?: () => void }

let notices: Notice[] = []
let lastId = 0
const listeners = new Set<() => void>()

function show(next: Notice[]): void {
  notices = next
  for (const listener of listeners) listener()
}

const shownMs = 6000

/** Says what was done, at the foot of the page and aloud. Alarms stay until they are closed. */
export function tell(text: string, { isAlarm = false, undo }: { isAlarm?: boolean; undo?: () => void } = {}): void {
  const notice: Notice = { id: ++lastId, text, isAlarm, ...(undo && { undo }) }
  show([...notices.filter((one) => one.text !== text), notice].slice(-3))
  if (!isAlarm) setTimeout(() => close(notice.id), undo ? shownMs * 2 : shownMs)
}

const close = (id: number): void => show(notices.filter((one) => one.id !== id))

/** Where `tell` says it; stands once in the page. */
export function Notices() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => notices,
  )
  return (
    <div className="notices" role="status">
      {shown.map(({ id, text, isAlarm, undo }) => (
        <div key={id} className={`notice${isAlarm ? ' alarm' : ''}`}>
          <span dir="auto">{text}</span>
          {undo && (
            <button
              type="button"
              className="notice-undo"
              onClick={() => {
                close(id)
                undo()
              }}
            >
              {say('undo')}
            </button>
          )}
          <IconButton icon="close" label={say('close')} onClick={() => close(id)} />
        </div>
      ))}
    </div>
  )
}
