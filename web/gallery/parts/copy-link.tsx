import './link.css'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { say } from '../state/page.ts'
import { Icon } from './icon.tsx'

export function CopyLink({ url }: { url: string }) {
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  const [told, setTold] = useState('')
  useEffect(() => setTold(''), [url])
  return (
    <div class="copy">
      <label class="heard" for={id}>
        {say('link')}
      </label>
      <input
        ref={field}
        id={id}
        readOnly
        dir="ltr"
        value={url}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <button
        type="button"
        class="button"
        onClick={async () => setTold(say((await copy(url, field.current)) ? 'copied' : 'notCopied'))}
      >
        <Icon name="copy" />
        {say('copy')}
      </button>
      <p role="status">{told}</p>
    </div>
  )
}

/** Pages without https have no clipboard API; there only selected text can be copied. */
async function copy(url: string, field: HTMLInputElement | null): Promise<boolean> {
  const isDone = await navigator.clipboard?.writeText(url).then(
    () => true,
    () => false,
  )
  if (isDone) return true
  field?.select()
  return document.execCommand('copy')
}
