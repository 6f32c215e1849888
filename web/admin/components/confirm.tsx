import * as Radix from '@radix-ui/react-alert-dialog'
import { useSyncExternalStore } from 'react'
import { translator } from '../app/language.ts'
import { buttonClass } from './button.tsx'
import { restoreFocus } from './focus-history.ts'

const t = translator('parts')

type Question = {
  title: string
  text: string
  /** The label of the button, such as "Delete 12 photos". */
  action: string
  isDangerous?: boolean
}

type PendingQuestion = Question & { respond: (isConfirmed: boolean) => void }

let pending: PendingQuestion | null = null
const listeners = new Set<() => void>()

function setPending(next: PendingQuestion | null): void {
  pending = next
  for (const listener of listeners) listener()
}

/** Resolves to whether the user confirms an action that cannot be undone. */
export const confirm = (question: Question): Promise<boolean> =>
  new Promise((resolve) => {
    const respond = (isConfirmed: boolean) => {
      setPending(null)
      resolve(isConfirmed)
    }
    setPending({ ...question, respond })
  })

/** Renders the dialog of `confirm`. Mounted once. */
export function Confirmations() {
  const question = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => pending,
  )
  if (!question) return null
  const { title, text, action, isDangerous = true, respond } = question
  return (
    <Radix.Root open onOpenChange={(open) => !open && respond(false)}>
      <Radix.Portal>
        <Radix.Overlay className="dialog-ground" />
        <Radix.Content className="dialog" onCloseAutoFocus={restoreFocus}>
          <div className="dialog-head">
            <Radix.Title>{title}</Radix.Title>
          </div>
          <Radix.Description className="dialog-about">{text}</Radix.Description>
          <div className="buttons at-end">
            <Radix.Cancel className={buttonClass()}>{t('cancel')}</Radix.Cancel>
            <button
              type="button"
              className={buttonClass(isDangerous ? 'danger' : 'primary')}
              onClick={() => respond(true)}
            >
              {action}
            </button>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
