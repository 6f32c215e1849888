import type { UseMutationResult } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import { sayIn } from '../desk/language.ts'
import { Button, Buttons } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { wordsOf } from '../parts/refusal-words.ts'

const say = sayIn('events')

type Props<T> = {
  title: string
  about?: ReactNode
  /** The deed in a word or two. */
  deed: string
  mutation: UseMutationResult<T, Error, void>
  onClose: () => void
  /** Whether a field says already why it was refused. */
  isSaid?: boolean
  children?: ReactNode
}

/** A short form that does one thing: what it asks, the deed, and why it was refused. */
export function DeedDialog<T>({ title, about, deed, mutation, onClose, isSaid = false, children }: Props<T>) {
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!mutation.isPending) mutation.mutate()
  }
  return (
    <Dialog title={title} about={about} isOpen onClose={onClose}>
      <form className="stack" noValidate onSubmit={onSubmit}>
        {children}
        {mutation.isError && !isSaid && (
          <p className="wrong" role="alert">
            {wordsOf(mutation.error)}
          </p>
        )}
        <Buttons isAtEnd>
          <Button onClick={onClose}>{say('cancel')}</Button>
          <Button type="submit" kind="primary" isBusy={mutation.isPending}>
            {deed}
          </Button>
        </Buttons>
      </form>
    </Dialog>
  )
}
