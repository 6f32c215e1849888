import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

type Described = { id: string; 'aria-describedby': string | undefined }
type Props = {
  label: string
  hint?: string
  trouble?: string | null
  children: (described: Described) => ComponentChildren
}

export function Field({ label, hint = '', trouble = null, children }: Props) {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, trouble && `${id}-trouble`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': describedBy || undefined })}
      {hint && (
        <p class="quiet" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {trouble && (
        <p class="trouble" id={`${id}-trouble`} role="alert">
          {trouble}
        </p>
      )}
    </div>
  )
}
