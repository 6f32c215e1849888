import type { FormEvent, ReactNode } from 'react'
import { translator } from '../desk/language.ts'
import { Button, Buttons } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { errorMessage, faultAt } from './error-messages.ts'
import { isHalfFilled } from './half-filled.ts'

const t = translator('parts')

type Props = {
  title: string
  about?: ReactNode
  action: string
  kind?: 'primary' | 'danger'
  mutation: { isPending: boolean; isError: boolean; error: unknown }
  /** The names of fields that show their own errors. */
  fields?: readonly string[]
  isReady?: boolean
  onAction: (form: FormData) => void
  onClose: () => void
  children?: ReactNode
}

export function ActionDialog({
  title,
  about,
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
    if (isHalfFilled(event.currentTarget)) return
    if (isReady && !mutation.isPending) onAction(new FormData(event.currentTarget))
  }
  const isSaid = fields.some((field) => faultAt(mutation.error, field) !== null)
  return (
    <Dialog title={title} about={about} isOpen onClose={onClose}>
      <form className="stack" noValidate onSubmit={onSubmit}>
        {children}
        {mutation.isError && !isSaid && (
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
