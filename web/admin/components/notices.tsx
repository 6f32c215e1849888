import './notices.css'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { translator } from '../app/language.ts'
import { IconButton } from './button.tsx'
import { errorMessage } from './error-messages.ts'
import { createStore } from './store.ts'

const t = translator('parts')

type Kind = 'plain' | 'warning' | 'alarm'
type Options = {
  isAlarm?: boolean
  isWarning?: boolean
  undo?: () => void
  /** What the notice is about, such as `event 5`. It replaces an earlier one, whose `undo` is outdated. */
  about?: string
}
type Notice = Pick<Options, 'undo' | 'about'> & { id: number; text: string; kind: Kind }

const notices = createStore<Notice[]>([])
let lastId = 0
const displayMs = 6000

/**
 * Shows a notice for 6 seconds, or for 12 with `undo`. Alarms and warnings have no time limit; warnings end when the
 * user leaves the page. Only the latest three remain.
 */
export function showNotice(text: string, { isAlarm = false, isWarning = false, undo, about }: Options = {}): void {
  const kind: Kind = isAlarm ? 'alarm' : isWarning ? 'warning' : 'plain'
  const notice: Notice = { id: ++lastId, text, kind, ...(undo && { undo }), ...(about && { about }) }
  const isReplaced = (one: Notice) => one.text === text || (about !== undefined && one.about === about)
  notices.setValue([...notices.getValue().filter((one) => !isReplaced(one)), notice].slice(-3))
  if (kind === 'plain') setTimeout(() => closeNotice(notice.id), undo ? displayMs * 2 : displayMs)
}

export const showError = (error: unknown): void => showNotice(errorMessage(error), { isAlarm: true })

const closeNotice = (id: number): void => notices.setValue(notices.getValue().filter((one) => one.id !== id))

/** A change of the search parameters, such as an opened photo or another filter, is still the same page. */
function useCloseWarningsOnLeave(): void {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const pathBefore = useRef(path)
  useEffect(() => {
    if (pathBefore.current === path) return
    pathBefore.current = path
    notices.setValue(notices.getValue().filter(({ kind }) => kind !== 'warning'))
  }, [path])
}

/** Renders the notices. Must be mounted exactly once. */
export function Notices() {
  useCloseWarningsOnLeave()
  return (
    <div className="notices" role="status">
      {notices.useValue().map(({ id, text, kind, undo }) => (
        <div key={id} className={`notice ${kind}`}>
          <span dir="auto">{text}</span>
          {undo && (
            <button
              type="button"
              className="link notice-undo"
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
