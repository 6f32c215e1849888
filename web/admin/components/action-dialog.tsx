import type { FormEvent, ReactNode } from 'react'
import { translator } from '../app/language.ts'
import { Button, Buttons } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { errorMessage, findFieldMessage } from './error-messages.ts'
import { reportBadInput } from './field.tsx'

const t = translator('parts')

type Props = {
  title: string
  description?: ReactNode
  action: string
  kind?: 'primary' | 'danger'
  mutation: { isPending: boolean; isError: boolean; error: unknown }
  /** The names of fields that show their errors. The dialog shows an error only if none of them does. */
  fields?: readonly string[]
  isReady?: boolean
  onAction: (form: FormData) => void
  onClose: () => void
  children?: ReactNode
}

export function ActionDialog({
  title,
  description,
  action,
  kind = 'primary',
  mutation,
  fields = [],
  isReady = true,
  onAction,
  onClose,
  children,
}: Props) {
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (reportBadInput(event.currentTarget)) return
    if (isReady && !mutation.isPending) onAction(new FormData(event.currentTarget))
  }
  const hasFieldErrors = fields.some((field) => findFieldMessage(mutation.error, field) !== null)
  return (
    <Dialog title={title} description={description} isOpen onClose={onClose}>
      <form className="stack" noValidate onSubmit={onSubmit}>
        {children}
        {mutation.isError && !hasFieldErrors && (
          <p className="wrong" role="alert">
            {errorMessage(mutation.error)}
          </p>
        )}
        <Buttons isAtEnd>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind={kind} isBusy={mutation.isPending} disabled={!isReady}>
            {action}
          </Button>
        </Buttons>
      </form>
    </Dialog>
  )
}
