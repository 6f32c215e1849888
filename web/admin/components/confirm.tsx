import * as Radix from '@radix-ui/react-alert-dialog'
import { useBlocker } from '@tanstack/react-router'
import { translator } from '../app/language.ts'
import { buttonClass } from './button.tsx'
import { restoreFocus } from './focus-history.ts'
import { createStore } from './store.ts'

const t = translator('parts')

type Question = {
  title: string
  text: string
  /** The label of the button, such as "Delete 12 photos". */
  action: string
  isDangerous?: boolean
}

const pending = createStore<(Question & { respond: (isConfirmed: boolean) => void }) | null>(null)

/** Asks the user in a dialog. Resolves to false if they cancel. */
export const confirm = (question: Question): Promise<boolean> =>
  new Promise((resolve) => {
    const respond = (isConfirmed: boolean) => {
      pending.setValue(null)
      resolve(isConfirmed)
    }
    pending.setValue({ ...question, respond })
  })

/** Asks before the user leaves a page with unsaved changes. */
export function useConfirmLeave(isUnsaved: boolean): void {
  useBlocker({
    disabled: !isUnsaved,
    enableBeforeUnload: isUnsaved,
    shouldBlockFn: async ({ current, next }) => {
      if (current.pathname === next.pathname) return false
      return !(await confirm({ title: t('leaveTitle'), text: t('leaveText'), action: t('leave') }))
    },
  })
}

/** Renders the dialog of `confirm`. Must be mounted exactly once. */
export function Confirmations() {
  const question = pending.useValue()
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
