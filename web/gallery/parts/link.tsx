import './link.css'
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { createQrCodePath } from '../../shared/draw-qr-code.ts'
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

/** If the clipboard API fails or is missing, as on pages without https, copies the selected text of `field`. */
async function copy(url: string, field: HTMLInputElement | null): Promise<boolean> {
  const isDone = await navigator.clipboard?.writeText(url).then(
    () => true,
    () => false,
  )
  if (isDone) return true
  field?.select()
  return document.execCommand('copy')
}

/** Black on white in every theme, because QR readers expect these colors. */
export function QrCode({ url }: { url: string }) {
  const { size, path } = useMemo(() => createQrCodePath(url), [url])
  return (
    <svg class="qr" role="img" aria-label={t('qrCode')} viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
