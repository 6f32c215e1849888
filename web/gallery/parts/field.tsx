import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

type Props = {
  label: string
  hint?: string
  trouble?: string | null | undefined
  children: (described: { id: string; 'aria-describedby': string | undefined }) => ComponentChildren
}

export function Field({ label, hint, trouble, children }: Props) {
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
      {trouble && <Trouble id={`${id}-trouble`}>{trouble}</Trouble>}
    </div>
  )
}

export const Trouble = ({ id, children }: { id?: string; children: ComponentChildren }) => (
  <p class="trouble" id={id} role="alert">
    {children}
  </p>
)

export const handleSubmit = (send: () => Promise<void>) => (event: SubmitEvent) => {
  event.preventDefault()
  void send()
}
