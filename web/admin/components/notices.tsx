import './notices.css'
import { translator } from '../app/language.ts'
import { IconButton } from './button.tsx'
import { errorMessage } from './error-messages.ts'
import { createStore } from './store.ts'

const t = translator('parts')

type Notice = { id: number; text: string; isAlarm: boolean; undo?: () => void }

const notices = createStore<Notice[]>([])
let lastId = 0
const displayMs = 6000

/** Shows a notice for 6 seconds, or for 12 with `undo`. Alarms have no time limit. Only the latest three remain. */
export function showNotice(
  text: string,
  { isAlarm = false, undo }: { isAlarm?: boolean; undo?: () => void } = {},
): void {
  const notice: Notice = { id: ++lastId, text, isAlarm, ...(undo && { undo }) }
  notices.setValue([...notices.getValue().filter((one) => one.text !== text), notice].slice(-3))
  if (!isAlarm) setTimeout(() => closeNotice(notice.id), undo ? displayMs * 2 : displayMs)
}

export const showError = (error: unknown): void => showNotice(errorMessage(error), { isAlarm: true })

const closeNotice = (id: number): void => notices.setValue(notices.getValue().filter((one) => one.id !== id))

/** Renders the notices. Must be mounted exactly once. */
export function Notices() {
  return (
    <div className="notices" role="status">
      {notices.useValue().map(({ id, text, isAlarm, undo }) => (
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
