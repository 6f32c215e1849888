import './link.css'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { t } from '../state/page.ts'
import { Icon } from './icon.tsx'

export function CopyLink({ url }: { url: string }) {
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  const [statusText, setStatusText] = useState('')
  useEffect(() => setStatusText(''), [url])
  return (
    <div class="copy">
      <label class="heard" for={id}>
        {t('link')}
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
        onClick={async () => setStatusText(t((await copy(url, field.current)) ? 'copied' : 'notCopied'))}
      >
        <Icon name="copy" />
        {t('copy')}
      </button>
      <p role="status">{statusText}</p>
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
